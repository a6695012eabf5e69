import { describe, expect, it } from "vitest";
import { formatted } from "../../../test/formatted.ts";

describe("left-hand split", () => {
  it("puts parameters on a line of their own", () => {
    expect(
      formatted(`def function_name(first_parameter, second_parameter, third_parameter, fourth_parameter_long):
    pass`),
    ).toBe(`def function_name(
    first_parameter, second_parameter, third_parameter, fourth_parameter_long
):
    pass`);
  });

  it("puts each parameter on a line when one line is not enough", () => {
    expect(
      formatted(`def function_name(first_parameter: int = 1, second_parameter: str = 'two', *, third_parameter: float = 3.0, fourth: int) -> None:
    pass`),
    ).toBe(`def function_name(
    first_parameter: int = 1,
    second_parameter: str = "two",
    *,
    third_parameter: float = 3.0,
    fourth: int
) -> None:
    pass`);
  });

  it("adds no comma behind starred parameters for old versions", () => {
    expect(
      formatted(
        `def function_name(first_parameter_of_function, second_parameter_of_function, *arguments_of_this_function_too_long):
    pass`,
        { targetVersions: ["py33"] },
      ),
    ).toBe(`def function_name(
    first_parameter_of_function,
    second_parameter_of_function,
    *arguments_of_this_function_too_long
):
    pass`);
  });

  it("breaks type parameters when there are no parameters", () => {
    expect(
      formatted(`def function_name[FirstTypeParameterOfFunction, SecondTypeParameterOfFunction, ThirdTypeParameter]():
    pass`),
    ).toBe(`def function_name[
    FirstTypeParameterOfFunction, SecondTypeParameterOfFunction, ThirdTypeParameter
]():
    pass`);
  });

  it("breaks a return type with a magic trailing comma first", () => {
    expect(
      formatted(`def f(a, b) -> Set[
    int, str,
]:
    pass`),
    ).toBe(`def f(a, b) -> Set[
    int,
    str,
]:
    pass`);
  });
});
