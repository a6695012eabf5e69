import { Modal } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";

interface FormDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The title stays while a long form scrolls: what gets the focus does not go under it. */
const BELOW_TITLE = { content: { scrollPaddingTop: "5rem" } };

/** A dialog that is there as long as it is open; then whoever opened it by keyboard is where he was. */
export function FormDialog({ title, onClose, children }: FormDialogProps): ReactNode {
  const opener = useRef(document.activeElement);
  useEffect(() => {
    const { current } = opener;
    return () => {
      // The dialog's own elements, and its hold on the focus, go first.
      if (current instanceof HTMLElement) setTimeout(() => current.focus({ preventScroll: true }));
    };
  }, []);
  return (
    <Modal opened onClose={onClose} title={title} styles={BELOW_TITLE}>
      {children}
    </Modal>
  );
}
