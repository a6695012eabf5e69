/** Python that takes nearly every path of the tokenizer and the grammar. */
export const everyRule = String.raw`#!/usr/bin/env python
"""Module that exists to be formatted."""
from __future__ import annotations
import os, sys as system
import package.module.part as part
from . import sibling
from ..parent.child import (first_name as first, second_name, third_name,)
from os.path import *
__all__ = ['alpha', "beta"] + other.__all__
NUMBERS = [0XFF, 0o17, 0B101, 1_000_000, 10 if False else 1E5, .5, 1.25e-3J, 0777]
x: int = 1; y : "Dict[str, int]" = {}; z = w = not x
@decorator
@package.decorator_with(arguments, key = value)
class Example(Base, metaclass = Meta, *bases, **options):
    '''Class docstring'''

    # a comment of its own
    field: List[ int ] = []
    other = u'text' "joined" b"bytes" rb'raw\d' f"value {field!r:>{width}} and {other['key']=}" f'{x}{{}}'

    def method(self, a, /, b: int = 3, *args: str, c, d=None, **kwargs: Any) -> Dict[str, Tuple[int, ...]]:
        """Say what it does.

          Indented line.
        """
        if a and not b or c is not None and d not in (1, 2) and (a if b else c) or a < b <= c != d:
            return self.call(a, b)[1:2, ::3, ...].attribute(* args, ** kwargs)  # type: ignore
        elif a == b: pass
        else:
            raise ValueError("a long message that has to be split because it is far too wide", a) from None
        for i, (j, k) in enumerate(zip(a, b)):
            while True:
                if i > j: break
                continue
            else: del i, j, (k)
        try:
            value = yield a
            values = yield from generator(lambda u, v=1, *w, **t: u ** v + -w @ t // 2 % 3 << 1 >> 2 & 3 | 4 ^ ~5)
        except (TypeError, ValueError) as error:
            print("failed: %s" % error, file=system.stderr)
        except OSError: pass
        finally:
            assert isinstance(value, int), "message"
        with open(a) as handle, (yield b) as another:
            global counter, total
            counter += 1
            total -= counter * (2)
        return

    async def run(self):
        async with self.session.get(url, headers={"Accept": "text/plain", **extra}) as response:
            result = await response.text()
        async for item in self.items(): yield item
        return [element async for element in result if element if element is not self], {k: v for k, v in pairs}
def function[T: int, *Ts, **P](argument_number_one: T, argument_number_two, argument_number_three=default_value) -> None: ...
type Alias[T] = list[T] | None
def generator_expression(data):
    nonlocal_value = sum(item.price*item.count for item in data if item.is_active and item.price>=minimum_price)
    mapping = {'first': {'nested': [1, 2, 3]}, **defaults, "function": lambda: (yield), "set": {1, 2, *others}}
    very_long_variable_name_number_one = very_long_function_name(argument)[index].method_call().another_call(x, y)
    first_value, second_value = some_object.with_attribute, another_function_call(argument_one)(argument_two)
    assert some_function(argument) == expected_value, f"expected {expected_value} but got {some_function(argument)}"
    return not (mapping['first'] and nonlocal_value) or first_value if (n := len(data)) > 10 else second_value
match command.split():
    case [action, obj] if obj: pass
    case {"key": Point(x=0, y=-1.5) as point, **rest} | [first, *_]:
        print(x if x else y, end = "")
    case _:
        match = case = type = 3
if x: y = x \
    + 1
# fmt: off
custom = [1,0,
          0,1]
# fmt: on
skipped   =   1  # fmt: skip
exec("code"); print(a , b)
parser.add_argument("--flag", action="store_true", default=False, help="a help text that is much too long for one line")
result = session.query(models.Customer.id).filter(models.Customer.account_id == 10000, models.Customer.email == email).count()
if True:
	tabbed = (	1,
	)
`;
