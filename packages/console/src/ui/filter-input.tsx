import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { type ReactNode, useEffect, useRef, useState } from "react";

interface FilterInputProps {
  readonly label: string;
  /** As the address has it. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Milliseconds without a key after which the address follows. */
const PAUSE = 300;

/** Words of the address. The router follows behind whoever types, so what is being typed stands here. */
export function FilterInput({ label, value, onChange }: FilterInputProps): ReactNode {
  const [text, setText] = useState(value);
  const told = useRef(value);
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setText(value);
  }, [value]);
  const tell = useDebouncedCallback((next: string) => {
    told.current = next;
    onChange(next);
  }, PAUSE);
  return (
    <TextInput
      label={label}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        tell(event.currentTarget.value);
      }}
    />
  );
}
