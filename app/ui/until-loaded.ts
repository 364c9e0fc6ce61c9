const RETRY_MS = 3_000;

/** Asks for a part of the page's code until it is there: one failed request must not take the page down. */
export async function untilLoaded<Module>(
  load: () => Promise<Module>,
  onFailure?: () => void,
): Promise<Module> {
  while (true) {
    try {
      return await load();
    } catch {
      onFailure?.();
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
