import { describe, expect, it } from "vitest";
import { formatted } from "../../test/formatted.ts";
import { previewBits } from "../mode/preview.ts";

describe("preview splits", () => {
  it("hugs brackets within brackets", () => {
    expect(
      formatted(
        `call([first_element_of_the_list, second_element_of_the_list, third_element_of_the_list, fourth])`,
        { preview: previewBits(true, true, []) },
      ),
    ).toBe(`call([
    first_element_of_the_list,
    second_element_of_the_list,
    third_element_of_the_list,
    fourth,
])`);
  });

  it("does not hug what fits on one line", () => {
    expect(
      formatted(`call([first_element_of_the_list, second_element_of_the_list, third_element_of_the_list])`, {
        preview: previewBits(true, true, []),
      }),
    ).toBe(`call([first_element_of_the_list, second_element_of_the_list, third_element_of_the_list])`);
  });

  it("hugs an unpacked list", () => {
    expect(
      formatted(
        `call(*[first_element_of_the_list, second_element_of_the_list, third_element_of_the_list, fourth])`,
        { preview: previewBits(true, true, []) },
      ),
    ).toBe(`call(*[
    first_element_of_the_list,
    second_element_of_the_list,
    third_element_of_the_list,
    fourth,
])`);
  });

  it("wraps long dictionary values in parentheses", () => {
    expect(
      formatted(
        `x = {
    'some_key_of_the_dictionary': first_summand_of_the_value + second_summand_of_the_value_x + third,
}`,
        { preview: previewBits(true, false, []) },
      ),
    ).toBe(`x = {
    "some_key_of_the_dictionary": (
        first_summand_of_the_value + second_summand_of_the_value_x + third
    ),
}`);
  });

  it("keeps a comparison with brackets on its right together", () => {
    expect(
      formatted(
        `assert first_name_in_comparison == some_function_with_a_name(argument_number_one, argument_number_2)`,
        { preview: previewBits(true, false, []) },
      ),
    ).toBe(`assert first_name_in_comparison == some_function_with_a_name(
    argument_number_one, argument_number_2
)`);
  });

  it("prefers brackets of an indexed target to parentheses", () => {
    expect(
      formatted(
        `some_dictionary_with_a_long_name['some_long_key_one']['some_long_key_number_two_of_this_dict'] = 10 - 5`,
        { preview: previewBits(true, false, []) },
      ),
    ).toBe(`some_dictionary_with_a_long_name["some_long_key_one"][
    "some_long_key_number_two_of_this_dict"
] = 10 - 5`);
  });

  it("splits at the brackets of a magic trailing comma", () => {
    expect(
      formatted(
        `assert xxxxxxxxx.xxxxxxxxx.xxxxxxxxx.xxxxxxxxx.xxxxxxxxx(
    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, b,
)[0]`,
        { preview: previewBits(true, false, []) },
      ),
    ).toBe(`assert xxxxxxxxx.xxxxxxxxx.xxxxxxxxx.xxxxxxxxx.xxxxxxxxx(
    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx,
    b,
)[0]`);
  });

  it("keeps operators of a dictionary key together", () => {
    expect(
      formatted(
        `x = {
    'prefix_' + some_name: some_function_with_a_name(argument_number_one, argument_number_two, three),
}`,
        { preview: previewBits(true, false, []) },
      ),
    ).toBe(`x = {
    "prefix_" + some_name: some_function_with_a_name(
        argument_number_one, argument_number_two, three
    ),
}`);
  });

  it("measures a guard with the space that stands in the source", () => {
    const options = { preview: previewBits(true, false, []), lineLength: 40 };
    const of = (guard: string): string => `match command:\n    case [name] if ${guard}:\n        pass`;
    expect(formatted(of("name  in  known"), options)).toBe(of("name in known"));
    expect(formatted(of("name in known and not seen"), options)).toBe(
      `match command:
    case [name] if (
        name in known and not seen
    ):
        pass`,
    );
  });

  it("leaves the space that measuring a guard adds in the fields of its f-strings", () => {
    const options = { preview: previewBits(true, false, []) };
    const of = (guard: string): string => `match command:\n    case [name] if ${guard}:\n        pass`;
    expect(formatted(of('f"{a<b} {c}" == name'), options)).toBe(of('f"{a      <      b} {c}" == name'));
    expect(formatted(of('f"{a<b} {c}" == name'))).toBe(of('f"{a<b} {c}" == name'));
  });
});
