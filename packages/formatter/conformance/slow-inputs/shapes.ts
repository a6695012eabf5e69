import { defaultMode, type Mode } from "../../src/mode/mode.ts";
import { previewBits } from "../../src/mode/preview.ts";

/** What is repeated: text that grows a statement, and what closes it again on the other side. */
const units: readonly (readonly [opening: string, closing: string])[] = [
  ["[b](c)", ""],
  ["(a)[b]", ""],
  ["[a.b+1, c]", ""],
  [".a(b)", ""],
  [".a", ""],
  ["()", ""],
  ["[1:2, ::3]", ""],
  ["(a,)", ""],
  ["(a=b, *c)", ""],
  [" + a", ""],
  [" and a(b)", ""],
  [", a", ""],
  [",a,", ""],
  [" ** -a.b", ""],
  [" if a else b", ""],
  [" in a not in b", ""],
  [" = a", ""],
  [" = (a)", ""],
  [" 'x'", ""],
  [" f'{a!r:>{b}}'", ""],
  [' "it\'s"', ""],
  [" % 'x'", ""],
  ["\n# c", "\n"],
  [" # c\n", ""],
  [" # type: ignore\n", ""],
  [" \\\n", ""],
  ["; a", ""],
  [" for a in b", ""],
  ["\nb", ""],
  ["\n\n\nb", ""],
  ["\n# fmt: off\nb  = 1\n# fmt: on", "\n"],
  ["\n# fmt: off\n# fmt: on", "\n"],
  ["; a # fmt: skip\nb", ""],
  ["\nif a:\n b\nelse:\n c\n", ""],
  ["\ndef f(): pass", "\n"],
  ["\n@a\nclass B: x = 1", "\n"],
  ["(", ")"],
  ["([{", "}])"],
  ["A([", "])"],
  ["(a, ", ")"],
  ["(a.b(", "))"],
  ["(not ", ")"],
  [" + (a if b else ", ")"],
  ["(lambda a: ", ")"],
  ["(-", ")"],
  ["{a: ", "}"],
  ["[a for b in ", "]"],
  ["(yield ", ")"],
  ["(await ", ")"],
  ["(a := ", ")"],
  ["(*", ",)"],
  ['f"{', '}"'],
  ["f'''{f\"{", "}\"}'''"],
  ["'", ""],
  ["\t", ""],
  ["\f\n", ""],
  ["\\", ""],
  ["#", ""],
  ["{", ""],
  [")", ""],
  [" or (a, b)[c]", ""],
  [" | a.b(c)", ""],
  [": a", ""],
  [" := a", ""],
  [" as a", ""],
  [", *a", ""],
  [", a=b", ""],
  [".a[b](c, d)", ""],
  ["(a)(b)", ""],
  ["[a, b][c]", ""],
];

/** What it is repeated in. */
const frames: readonly string[] = [
  "x = a{}",
  "x = ('s'{})",
  "x{} = 1",
  "{}",
  "match{}",
  "return a{}",
  "f(a{})",
  "for x in a{}: pass",
  "with a{}, b as c: pass",
  "with (a{}): pass",
  "def f(a{}): pass",
  "def f() -> a{}: pass",
  "class A(a{}): pass",
  "match x:\n case a{}: pass",
  "match x:\n case b if a{}: pass",
  "x = [a{}]",
  "x = {'k': a{}}",
  "import a{}",
  "from a import (b{})",
  "if a{}: pass",
  "assert a{}, b{}",
  "del (a{})",
  "x = f'{a{}}'",
  "x: a{} = b",
  "@a{}\ndef f(): pass",
  "async def f():\n await a{}",
  "'''{}'''",
  "#{}",
  "type X = a{}",
  "try: pass\nexcept a{}: pass",
  "try: pass\nexcept* a{} as b: pass",
  "raise a{} from b{}",
  "while a{}: pass",
  "if a: pass\nelif b{}: pass",
  "def f():\n yield a{}",
  "a{} += b{}",
  "a{}: b{} = c{}",
  "x = y = a{}",
  "for a{} in b{}: pass",
  "with a{} as b{}: pass",
  "async def f():\n async with a{}, b: pass\n async for x in c{}: pass",
  "x = lambda a{}: b{}",
  "x[a{}] = b",
  "print(a{} for b in c{})",
  "def f[T: a{}](b=c{}): pass",
  "class A:\n x = a{}\n def f(self): return b{}",
  "match a{}:\n case {'k': b{}}: pass",
  "return a{} if b{} else c{}",
  "del a{}",
  "global a{}",
  "x = not a{} and b{}",
  "x = {**a{}, b{}: c{}}",
];

/** A text of which any amount can be made. */
export interface Shape {
  readonly name: string;
  readonly make: (bytes: number) => string;
}

/** Each unit in each frame. */
export const shapes: readonly Shape[] = frames.flatMap((frame) =>
  units.map(([opening, closing]): Shape => {
    const holes = frame.split("{}").length - 1;
    const make = (bytes: number): string => {
      const count = Math.max(1, Math.floor(bytes / holes / (opening.length + closing.length)));
      return `${frame.replaceAll("{}", () => opening.repeat(count) + closing.repeat(count))}\n`;
    };
    return { name: `${JSON.stringify(frame)} of ${JSON.stringify(opening)}`, make };
  }),
);

const unstable = previewBits(true, true, []);

/** The styles that take different paths. */
export const modes: Readonly<Record<string, Mode>> = {
  stable: defaultMode,
  unstable: { ...defaultMode, preview: unstable },
  "unstable -l 20": { ...defaultMode, preview: unstable, lineLength: 20 },
  "-l 1": { ...defaultMode, lineLength: 1 },
  "-C --pyi": { ...defaultMode, isPyi: true, magicTrailingComma: false },
  "preview -l 200": { ...defaultMode, preview: previewBits(true, false, []), lineLength: 200 },
};
