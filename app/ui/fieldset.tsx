import { type ComponentProps, useLayoutEffect, useRef } from "react";

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | HTMLButtonElement;

/**
 * A form's fieldset. Disables its controls while the form is being sent. The focused control is only marked as disabled
 * and keeps the focus: otherwise, screen readers would announce that the focus is lost and returns.
 */
export function Fieldset({ isBusy, ...rest }: ComponentProps<"fieldset"> & { isBusy: boolean }) {
  const element = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => {
    if (!isBusy || !element.current) return;
    const controls = element.current.querySelectorAll<Control>("input, textarea, select, button");
    const ends = [...controls].filter(({ disabled }) => !disabled).map(disable);
    return () => {
      for (const end of ends) end();
    };
  }, [isBusy]);
  return <fieldset ref={element} {...rest} />;
}

/** Returns a function that enables the control again. */
function disable(control: Control): () => void {
  if (document.activeElement !== control) {
    control.disabled = true;
    return () => {
      control.disabled = false;
    };
  }
  control.setAttribute("aria-disabled", "true");
  const isText = "readOnly" in control && !control.readOnly;
  if (isText) control.readOnly = true;
  return () => {
    control.removeAttribute("aria-disabled");
    if (isText) control.readOnly = false;
  };
}
