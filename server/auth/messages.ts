import type { Message } from "./mail.ts";

/** Takes the site's name, whom to write to and the link, returns the mail that lets a member set a new password. */
export function recoveryMessage(siteName: string, to: string, link: string): Message {
  return {
    to,
    subject: `Set a new password for ${siteName}`,
    text: `Somebody asked to set a new password for your account at ${siteName}.

If it was you, open this link within an hour, in the browser in which you asked:

${link}

If it was not you, there is nothing to do: without the link nothing changes.
`,
  };
}

/** Takes the site's name, whom to write to and the link, returns the mail that invites somebody to become a member. */
export function invitationMessage(siteName: string, to: string, link: string): Message {
  return {
    to,
    subject: `Your invitation to ${siteName}`,
    text: `You are invited to ${siteName}, where tech professionals show what they know and share it.

Open this link to sign in and choose your password. It works once, and for a week at most:

${link}

If you expected no invitation, there is nothing to do.
`,
  };
}
