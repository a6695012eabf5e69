import fc from "fast-check";

/** Random white space that Python takes anywhere inside brackets and Black takes away. */
const gap = fc.constantFrom("", "", " ", "  ");
const name = fc.constantFrom(
  "a",
  "b",
  "value",
  "some_longer_name",
  "another_quite_long_identifier_name",
  "self",
  "x1",
);
const literal = fc.constantFrom(
  "1",
  "0XFF",
  "1_000",
  "1.5E10",
  "'text'",
  '"it\'s"',
  "'say \"hi\"'",
  "b'raw'",
  "f'{a} {b!r:>10}'",
  "None",
  "True",
  "...",
);
const comment = fc.constantFrom("", "", "", "  # note", "#tight", "  # type: ignore");

const { expression } = fc.letrec<{ expression: string; atom: string; items: string }>((tie) => ({
  atom: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    name,
    literal,
    fc.tuple(gap, tie("expression"), gap).map(([a, inner, b]) => `(${a}${inner}${b})`),
    fc
      .tuple(tie("items"), fc.boolean())
      .map(([items, comma]) => `[${items}${comma && items !== "" ? "," : ""}]`),
    fc.tuple(tie("expression"), tie("expression")).map(([key, value]) => `{${key} : ${value}}`),
    fc
      .tuple(name, tie("items"), fc.boolean())
      .map(([f, items, comma]) => `${f}(${items}${comma && items !== "" ? "," : ""})`),
    fc.tuple(name, tie("expression")).map(([object, index]) => `${object}[${index}]`),
    fc.tuple(name, name, name).map((parts) => parts.join(".")),
    fc.tuple(tie("expression"), name).map(([element, list]) => `[${element} for a in ${list} if a]`),
  ),
  items: fc.array(tie("expression"), { maxLength: 4 }).map((list) => list.join(" ,")),
  expression: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("atom"),
    fc
      .tuple(
        tie("atom"),
        fc.constantFrom("+", "-", "*", "/", "**", "//", "%", " and ", " or ", "<", "==", " in ", " is not "),
        tie("atom"),
      )
      .map((parts) => parts.join("")),
    fc
      .tuple(fc.constantFrom("not ", "-", "~"), tie("atom"))
      .map(([operator, operand]) => `(${operator}${operand})`),
    fc
      .tuple(tie("atom"), tie("atom"), tie("atom"))
      .map(([yes, test, no]) => `(${yes} if ${test} else ${no})`),
    fc.tuple(name, tie("atom")).map(([argument, body]) => `(lambda ${argument},*b: ${body})`),
  ),
}));

const simple = fc.oneof(
  fc.tuple(name, expression).map(([target, value]) => `${target}=${value}`),
  fc.tuple(name, expression).map(([target, value]) => `${target} : int = ${value}`),
  fc.tuple(name, name, expression).map(([a, b, value]) => `${a},${b} = ${value}, ${value}`),
  fc.tuple(name, expression).map(([target, value]) => `${target}+=${value}`),
  expression,
  expression.map((value) => `assert ${value},'message'`),
  expression.map((value) => `return (${value})`),
  name.map((target) => `del (${target})`),
  name.map((module) => `from ${module} import (a,b as c)`),
  fc.constantFrom("pass", "import os,sys", "'''Doc\n  string  '''", "raise ValueError('x') from None"),
);

const { block } = fc.letrec<{ block: string[]; statement: string[] }>((tie) => ({
  statement: fc.oneof(
    { depthSize: "small" },
    fc.tuple(simple, comment).map(([text, note]) => [text.includes("\n") ? text : text + note]),
    fc.tuple(expression, tie("block")).map(([test, body]) => [`if ${test} :`, ...indent(body)]),
    fc
      .tuple(name, expression, tie("block"))
      .map(([target, list, body]) => [`for ${target} in (${list}):`, ...indent(body)]),
    fc
      .tuple(name, expression, tie("block"))
      .map(([f, value, body]) => [`def ${f}(a,b:int=${value},*c,**d)->None:`, ...indent(body)]),
    fc.tuple(name, tie("block")).map(([title, body]) => ["@decorator", `class ${title}():`, ...indent(body)]),
    fc.tuple(expression, tie("block")).map(([value, body]) => [`with ${value} as f, a :`, ...indent(body)]),
    fc
      .tuple(tie("block"), tie("block"))
      .map(([body, handler]) => ["try:", ...indent(body), "except (A,B) as e:", ...indent(handler)]),
  ),
  block: fc
    .array(fc.tuple(tie("statement"), fc.constantFrom(0, 0, 1, 3)), { minLength: 1, maxLength: 4 })
    .map((statements) =>
      statements.flatMap(([lines, blank]) => [...Array<string>(blank).fill(""), ...lines]),
    ),
}));

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? "" : `   ${line}`));
}

/** Valid but untidy Python sources. */
export const pythonProgram = block.map((lines) => `${lines.join("\n")}\n`);
