"""Texts of a grammar's rules at random."""

import random
import re
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Grammar:
    """Rules by their names, each with its choices. In a choice `<name>` stands for a text of another rule, `<name*>` for
    up to three of them with commas, `<name+>` for at least one."""

    rules: dict[str, list[str]]
    # How many `<name+>` stands for.
    counts: list[int] = field(default_factory=lambda: [1, 1, 1, 2, 3])
    # Words by their names: any of them at any time, for they make nothing longer.
    words: dict[str, list[str]] = field(default_factory=dict)
    # How often a list ends with a comma, and the rules whose lists never do.
    commas: float = 0
    commaless: tuple[str, ...] = ()

    def expand(self, rule: str, choose: random.Random, budget: int) -> str:
        """Text of a rule; when so many rules are spent, of the shortest kind."""
        return self._expand(rule, choose, [budget])

    def _expand(self, rule: str, choose: random.Random, budget: list[int]) -> str:
        if rule in self.words:
            return choose.choice(self.words[rule])
        budget[0] -= 1
        choices = self.rules[rule]
        frame = choose.choice(choices) if budget[0] > 0 else choices[0]

        def fill(found: re.Match) -> str:
            name, times = found[1], found[2]
            if not times:
                return self._expand(name, choose, budget)
            count = choose.choice([0, 1, 1, 2, 3] if times == "*" else self.counts)
            text = ", ".join(self._expand(name, choose, budget) for _ in range(count))
            if text and self.commas and choose.random() < self.commas and name not in self.commaless:
                text += ","
            return text

        return re.sub(r"<([a-z]+)([*+]?)>", fill, frame)
