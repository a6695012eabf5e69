import { describe, expect, it } from "vitest";
import { formatted } from "../../../test/formatted.ts";

describe("delimiter split", () => {
  it("puts each element on a line and adds a comma", () => {
    expect(
      formatted(
        `numbers = [first_element_of_list, second_element_of_list, third_element_of_list, fourth_elem]`,
      ),
    ).toBe(`numbers = [
    first_element_of_list,
    second_element_of_list,
    third_element_of_list,
    fourth_elem,
]`);
  });

  it("adds no comma behind unpacked arguments for old versions", () => {
    expect(
      formatted(
        `call(*first_argument_of_the_call, **second_argument_of_the_call_which_is_long_enough_to_break_x)`,
        { targetVersions: ["py33"] },
      ),
    ).toBe(`call(
    *first_argument_of_the_call,
    **second_argument_of_the_call_which_is_long_enough_to_break_x
)`);
  });

  it("adds a comma behind unpacked arguments for new versions", () => {
    expect(
      formatted(`call(first_argument_of_the_call, *second_argument_of_the_call, **third_argument_of_the_call_x)
x = f'{y}'`),
    ).toBe(`call(
    first_argument_of_the_call,
    *second_argument_of_the_call,
    **third_argument_of_the_call_x,
)
x = f"{y}"`);
  });

  it("breaks before operators of the lowest precedence first", () => {
    expect(
      formatted(
        `x = (first_operand_of_this_expression * second_operand_of_this_expression + third_operand_of_this)`,
      ),
    ).toBe(`x = (
    first_operand_of_this_expression * second_operand_of_this_expression
    + third_operand_of_this
)`);
  });

  it("breaks before boolean operators", () => {
    expect(
      formatted(`if first_condition_that_is_long and second_condition_that_is_long and not third_condition_long:
    pass`),
    ).toBe(`if (
    first_condition_that_is_long
    and second_condition_that_is_long
    and not third_condition_long
):
    pass`);
  });

  it("breaks a comprehension at for and if", () => {
    expect(
      formatted(
        `result = [transform(element) for element in collection_of_elements if predicate_holds(element)]`,
      ),
    ).toBe(`result = [
    transform(element) for element in collection_of_elements if predicate_holds(element)
]`);
  });

  it("breaks a ternary at if and else", () => {
    expect(
      formatted(
        `value = first_alternative_value if some_condition_that_is_long else second_alternative_value_here`,
      ),
    ).toBe(`value = (
    first_alternative_value
    if some_condition_that_is_long
    else second_alternative_value_here
)`);
  });

  it("breaks a chain of method calls before the dots", () => {
    expect(
      formatted(
        `result = session.query(Customer).filter(Customer.account_id == account, Customer.email == e).count()`,
      ),
    ).toBe(`result = (
    session.query(Customer)
    .filter(Customer.account_id == account, Customer.email == e)
    .count()
)`);
  });

  it("does not part a single attribute from its owner", () => {
    expect(
      formatted(
        `result = function_with_a_long_name(argument_number_one)(argument_number_two).attribute_with_a_name`,
      ),
    ).toBe(`result = function_with_a_long_name(argument_number_one)(
    argument_number_two
).attribute_with_a_name`);
  });

  it("keeps the comments of elements with them", () => {
    expect(
      formatted(`call(
    first_argument_of_the_call,  # one
    second_argument_of_the_call_with_a_long_name,  # two
    third
)`),
    ).toBe(`call(
    first_argument_of_the_call,  # one
    second_argument_of_the_call_with_a_long_name,  # two
    third,
)`);
  });

  it("does not break between the targets of a comprehension", () => {
    expect(
      formatted(
        `{key_of_the_dictionary: value_of_the_dictionary for key_of_the_dictionary, value_of_the_dictionary in x}`,
      ),
    ).toBe(`{
    key_of_the_dictionary: value_of_the_dictionary
    for key_of_the_dictionary, value_of_the_dictionary in x
}`);
  });
});
