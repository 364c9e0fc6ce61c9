import { useEffect } from "react";
import { COPIED_MS, copy } from "./copy.ts";

function createButton(pre: HTMLElement): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy-code";
  button.textContent = "Copy";
  button.setAttribute("aria-label", "Copy code");
  button.addEventListener("click", async () => {
    if (!(await copy(pre.textContent, "Code copied"))) return;
    button.dataset["copied"] = "";
    setTimeout(() => delete button.dataset["copied"], COPIED_MS);
  });
  return button;
}

export function useCopyCode(frames: React.RefObject<HTMLElement | null>, html: string | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other HTML has other frames
  useEffect(() => {
    const element = frames.current;
    const around = element?.closest(".code-frame");
    const all = [...(element?.querySelectorAll(".code-frame") ?? []), ...(around ? [around] : [])];
    const buttons = all.flatMap((frame) => {
      const pre = frame.querySelector("pre");
      if (!pre) return [];
      const button = createButton(pre);
      frame.append(button);
      return [button];
    });
    return () => {
      for (const button of buttons) button.remove();
    };
  }, [frames, html]);
}
