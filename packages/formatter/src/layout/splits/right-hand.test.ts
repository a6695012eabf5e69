import { describe, expect, it } from "vitest";
import { formatted } from "../../../test/formatted.ts";

describe("right-hand split", () => {
  it("breaks at the last brackets with content", () => {
    expect(
      formatted(
        `result = session.query(models.Customer.id).filter(models.Customer.account_id == 100, x == 1)`,
      ),
    ).toBe(`result = session.query(models.Customer.id).filter(
    models.Customer.account_id == 100, x == 1
)`);
  });

  it("passes over empty brackets at the end", () => {
    expect(
      formatted(
        `value = some_object_with_a_long_name.method_number_one(argument_one, argument_two).finish()`,
      ),
    ).toBe(`value = some_object_with_a_long_name.method_number_one(
    argument_one, argument_two
).finish()`);
  });

  it("keeps trailers together and breaks before the operator", () => {
    expect(
      formatted(
        `assert some_function_name(first_argument, second_argument)[index_of_the_thing] == expected_val`,
      ),
    ).toBe(`assert (
    some_function_name(first_argument, second_argument)[index_of_the_thing]
    == expected_val
)`);
  });

  it("prints optional parentheses when the right side has several delimiters", () => {
    expect(
      formatted(
        `total = first_summand_of_the_sum + second_summand_of_the_sum + third_summand_of_the_sum + 1`,
      ),
    ).toBe(`total = (
    first_summand_of_the_sum + second_summand_of_the_sum + third_summand_of_the_sum + 1
)`);
  });

  it("leaves optional parentheses out where the right side ends with brackets", () => {
    expect(
      formatted(
        `some_dictionary['with_a_long_key'] = some_looooooooong_module.some_loooog_function_name(first)`,
      ),
    ).toBe(`some_dictionary["with_a_long_key"] = some_looooooooong_module.some_loooog_function_name(
    first
)`);
  });

  it("splits the first of chained targets last", () => {
    expect(
      formatted(
        `first_target = second_target[a_rather_long_index] = some_function_with_a_name(argument_one, two)`,
      ),
    ).toBe(`first_target = second_target[a_rather_long_index] = some_function_with_a_name(
    argument_one, two
)`);
  });

  it("always wraps the names of an import", () => {
    expect(
      formatted(`from some_package.some_module import first_name, second_name, third_name, fourth_name, fif`),
    ).toBe(`from some_package.some_module import (
    first_name,
    second_name,
    third_name,
    fourth_name,
    fif,
)`);
  });

  it("wraps even a number when the target is too long", () => {
    expect(
      formatted(
        `a_name_that_is_long_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx = 1`,
      ),
    ).toBe(`a_name_that_is_long_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx = (
    1
)`);
  });

  it("splits a with statement at the last brackets where parentheses are unknown", () => {
    expect(
      formatted(`with open('a_rather_long_file_name.txt') as first_file, open('another_rather_long.txt') as second:
    pass`),
    ).toBe(`with open("a_rather_long_file_name.txt") as first_file, open(
    "another_rather_long.txt"
) as second:
    pass`);
  });

  it("splits a with statement of more than a thousand managers at each of them", () => {
    const managers = Array.from({ length: 1500 }, (_, i) => `m${i}`);
    // The last ones fit on one line.
    const split = managers.slice(0, -12);
    expect(formatted(`with ${managers.join(", ")}: pass`)).toBe(
      `with ${split.map((name) => `(\n    ${name}\n), `).join("")}${managers.slice(-12).join(", ")}:\n    pass`,
    );
  });

  it("splits two chains of hundreds of calls in one statement", () => {
    const chain = "(a)(b)".repeat(400);
    const [target, value] = [`x${chain}.y`, `z${chain}`];
    const bracket = "(\n    a\n)(\n    b\n)".repeat(400);
    expect(formatted(`${target}: ${value} = 1`, { lineLength: 1 })).toBe(`x${bracket}.y: z${bracket} = 1`);
  });

  it("puts a return value in parentheses", () => {
    expect(
      formatted(`def f():
    return first_operand_of_this_expression and second_operand_of_this_expression or third_`),
    ).toBe(`def f():
    return (
        first_operand_of_this_expression and second_operand_of_this_expression or third_
    )`);
  });

  it("keeps a comment after an opening bracket there", () => {
    expect(
      formatted(`call(  # why
    first_argument_of_the_call, second_argument_of_the_call, third_argument_of_the_call, 4
)`),
    ).toBe(`call(  # why
    first_argument_of_the_call,
    second_argument_of_the_call,
    third_argument_of_the_call,
    4,
)`);
  });

  it("joins a subscript and moves its comment behind the call's bracket", () => {
    expect(
      formatted(`parameters = dict[  # comment
    str, int
](first_argument_of_the_call_x, second_argument_of_the_call, third_argument)`),
    ).toBe(`parameters = dict[str, int](  # comment
    first_argument_of_the_call_x, second_argument_of_the_call, third_argument
)`);
  });

  it("takes a second opinion when the first line stays too long", () => {
    expect(
      formatted(`if x:
    if y:
        new_id = max(Vegetable.objects.order_by('-id')[0].id, Mineral.objects.order_by('-id')[0].id) + 1`),
    ).toBe(`if x:
    if y:
        new_id = (
            max(
                Vegetable.objects.order_by("-id")[0].id,
                Mineral.objects.order_by("-id")[0].id,
            )
            + 1
        )`);
  });

  it("puts as many names of a chained assignment on each line as fit", () => {
    const names = Array.from({ length: 12 }, (_, i) => `name${i}`);
    const chain = ["first[0]", ...names, "f(a, b)"].join(" = ");
    expect(formatted(chain, { lineLength: 30 })).toBe(`first[0] = name0 = name1 = (
    name2
) = name3 = name4 = name5 = (
    name6
) = name7 = name8 = name9 = (
    name10
) = name11 = f(a, b)`);
  });

  it("splits an assignment to hundreds of names at each of them", () => {
    const chain = `x${" = a".repeat(300)}`;
    expect(formatted(chain, { lineLength: 1 })).toBe(`x = (\n    ${"a\n) = (\n    ".repeat(298)}a\n) = a`);
    const wide = formatted(chain, { lineLength: 40 });
    expect(wide.split("\n").slice(0, 5)).toEqual([
      "x = a = a = a = a = a = a = a = a = (",
      "    a",
      ") = a = a = a = a = a = a = a = a = (",
      "    a",
      ") = a = a = a = a = a = a = a = a = (",
    ]);
  });
});
