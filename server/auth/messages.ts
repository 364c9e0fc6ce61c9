import { writeMessage } from "./letter.ts";
import type { Message } from "./mail.ts";

export function recoveryMessage(siteName: string, to: string, link: string): Message {
  return writeMessage(siteName, to, {
    subject: `Set a new password for ${siteName}`,
    paragraphs: [
      `Somebody asked to set a new password for your account at ${siteName}.`,
      "If it was you, open this link within an hour, in the browser in which you asked:",
    ],
    link: { label: "Set a new password", address: link },
    closing: "If it was not you, there is nothing to do: without the link nothing changes.",
  });
}

export function invitationMessage(siteName: string, to: string, link: string): Message {
  return writeMessage(siteName, to, {
    subject: `Your invitation to ${siteName}`,
    paragraphs: [
      `You are invited to ${siteName}, where tech professionals show what they know and share it.`,
      "Open this link to sign in and choose your password. It works once, and for a week at most:",
    ],
    link: { label: "Accept the invitation", address: link },
    closing: "If you expected no invitation, there is nothing to do.",
  });
}

export function passwordChangedMessage(siteName: string, to: string, signInPage: string): Message {
  return writeMessage(siteName, to, {
    subject: `Your password for ${siteName} was changed`,
    paragraphs: [
      `The password of your account at ${siteName} was changed, and every other session has ended.`,
      "If it was you, there is nothing to do. If it was not, choose another password at once:",
    ],
    link: { label: "Open the sign-in page", address: signInPage },
    closing: "There, “Forgot your password?” sends a link to this address.",
  });
}
