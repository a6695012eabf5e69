/** What a bracket whose content is split is part of. */
export const Bracket = {
  /** None that is known to stay as it is. */
  OTHER: 0,
  /** A call, the bases of a class. */
  CALL: 1,
  /** The parameters of a function. */
  PARAMETERS: 2,
  /** The names of an import. */
  NAMES: 3,
  /** A list, set or dictionary. */
  DISPLAY: 4,
  /** Parentheses that do not call and stay whatever they hold. */
  GROUP: 5,
  /** Parentheses round the value of a statement, which are there for a tuple or generator or because it is too long. */
  OPTIONAL: 6,
} as const;

/** What stands before a closing bracket. */
export const Content = {
  OTHER: 0,
  BRACKET: 1,
  /** A value without brackets, in optional parentheses that it may keep without having delimiters. */
  LONE: 2,
} as const;
