import { errorMessage } from "../../config/error-message.ts";
import { SettingsError } from "../../config/settings.ts";
import { StartError } from "../../config/start-error.ts";

/** What was looked at and how it is; of a problem also the way out. */
export interface Finding {
  topic: string;
  isOk: boolean;
  text: string;
}

/** Takes a topic and a sentence, returns that all is well. */
export function ok(topic: string, text: string): Finding {
  return { topic, isOk: true, text };
}

/** Takes a topic and a sentence that says what is wrong and what to do, returns it as a problem. */
export function problem(topic: string, text: string): Finding {
  return { topic, isOk: false, text };
}

/**
 * Takes a topic and how to look into it, returns what was found. What would keep the site from starting is a problem
 * in the words of the start itself.
 */
export async function look(topic: string, into: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await into()].flat();
  } catch (error) {
    const isExpected = error instanceof StartError || error instanceof SettingsError;
    const message = errorMessage(error);
    return [problem(topic, isExpected ? message : `This could not be looked into: ${message}.`)];
  }
}
