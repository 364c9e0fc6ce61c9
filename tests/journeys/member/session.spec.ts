import type { Page, Request } from "@playwright/test";
import { KINDS } from "../../../common/kinds/index.ts";
import { ARTICLES, addItem, FAILED_REQUESTS, field, storedTitles } from "../../support/forms.ts";
import { type Member, openEmptyDocument, SESSION_KEY, signInByForm } from "../../support/members.ts";
import { expect, test } from "../../support/site.ts";
import { hydrated, layoutShift, PAGES, watchShifts } from "../../support/visiting.ts";

const signOutButton = (page: Page) => page.getByRole("button", { name: "Sign Out" });
const signInHeading = (page: Page) => page.getByRole("heading", { name: "Sign in to your account" });

function storedSession(page: Page): Promise<string | null> {
  return page.evaluate((key) => localStorage.getItem(key), SESSION_KEY);
}

async function submitSignIn(
  page: Page,
  { email, password }: Pick<Member, "email" | "password">,
): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("the sign-in form has the specified fields and is sent only once, signing in opens the profile, and the session survives a reload", async ({
  page,
  site,
}) => {
  const member = await site.addMember();
  await page.goto("/profile");
  await expect(signInHeading(page)).toBeVisible();
  const email = page.getByLabel("Email address");
  await expect(email).toHaveAttribute("type", "email");
  await expect(email).toHaveAttribute("required", "");
  await email.fill("\u202aada@example.com\u202c");
  await expect(email, "without the marks that programs copy with an address").toHaveValue("ada@example.com");
  await email.fill("");
  await expect(page.getByLabel("Password")).toHaveAttribute("required", "");
  await expect(signOutButton(page)).toHaveCount(0);

  await test.step("while the request is pending, the button is disabled and shows Processing...", async () => {
    const released = Promise.withResolvers<void>();
    let requests = 0;
    await page.route("**/auth/v1/token*", async (route) => {
      requests++;
      await released.promise;
      await route.continue();
    });
    await submitSignIn(page, member);
    await expect(page.getByRole("button", { name: "Processing..." })).toBeDisabled();
    await page.getByLabel("Password").press("Enter");
    released.resolve();
    await expect(signOutButton(page)).toBeVisible();
    expect(requests).toBe(1);
  });
  await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
  await expect(signInHeading(page)).toHaveCount(0);

  const session = JSON.parse((await storedSession(page)) ?? "{}");
  expect(session).toMatchObject({ token_type: "bearer", expires_in: 28800, user: { id: member.id } });
  await page.reload();
  await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
});

test.describe("sign-ins that fail", () => {
  test.use({ expectedProblems: FAILED_REQUESTS });

  test("after a wrong password, the sign-in form shows the service's message, reports a service that is not responding, and can be sent again", async ({
    page,
    site,
  }) => {
    const member = await site.addMember();
    await page.goto("/profile");
    await submitSignIn(page, { ...member, password: "wrong" });
    const alert = page.getByRole("alert");
    await expect(alert).toHaveText("Invalid login credentials");
    const [red = 0, green = 255, blue = 255] = await alert.evaluate((element) =>
      (getComputedStyle(element).color.match(/\d+/g) ?? []).map(Number),
    );
    expect(red).toBeGreaterThan(2 * Math.max(green, blue));
    const button = page.getByRole("button", { name: "Sign in" });
    await expect(button).toBeEnabled();
    await expect(button, "the button keeps the focus").toBeFocused();
    await expect(page.getByLabel("Email address")).toHaveValue(member.email);
    for (const label of ["Email address", "Password"]) {
      await expect(page.getByLabel(label)).toHaveAttribute("aria-invalid", "true");
      await expect(page.getByLabel(label)).toHaveAccessibleDescription("Invalid login credentials");
    }

    await test.step("an unreachable auth service and an error page are reported as not responding", async () => {
      for (const response of [undefined, { status: 500, body: "<h1>Oops</h1>" }]) {
        await page.route("**/auth/v1/token*", (route) =>
          response ? route.fulfill(response) : route.abort(),
        );
        await page.getByLabel("Email address").fill(member.email);
        await page.getByLabel("Password").fill(member.password);
        const isSignIn = (request: Request) => request.url().includes("/auth/v1/token");
        const ended = response
          ? page.waitForEvent("requestfinished", isSignIn)
          : page.waitForEvent("requestfailed", isSignIn);
        await page.getByRole("button", { name: "Sign in" }).click();
        await ended;
        await expect(page.getByRole("alert")).toHaveText(
          "The service is not responding. Try again in a moment.",
        );
        await page.unroute("**/auth/v1/token*");
      }
    });

    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(signOutButton(page)).toBeVisible();
    await expect(alert).toHaveCount(0);
  });
});

test("a member's profile page shows its heading before the editor's code arrives", async ({
  page,
  site,
  signIn,
}) => {
  await signIn(await site.addMember());
  const released = Promise.withResolvers<void>();
  await page.route(/\/assets\/(auth|profile-editor)-/, async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.goto("/profile", { waitUntil: "commit" });
  await expect(page.getByRole("heading", { name: "Profile", exact: true })).toBeVisible();
  released.resolve();
  await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Profile", exact: true })).toBeVisible();
});

test("nothing shifts when a signed-in member's forms appear, because they fit into the space that is reserved for them, and the sign-in form never flashes", async ({
  page,
  site,
  signIn,
}) => {
  const member = await site.addMember({ full_name: "Ada Marlowe" });
  await addItem(site, ARTICLES, member.id, "Stays where it is");
  await signIn(member);
  await watchShifts(page);
  await page.addInitScript(() => {
    const seen = { signIn: false };
    Object.assign(window, { seen });
    const checkFrame = () => {
      const heading = [...document.querySelectorAll("h1")].find((h1) => h1.textContent?.includes("Sign in"));
      if (heading?.checkVisibility({ visibilityProperty: true })) seen.signIn = true;
      requestAnimationFrame(checkFrame);
    };
    checkFrame();
  });
  // In a wide window, the pages of links and code samples differ from the page of articles only in the form's height.
  for (const [width, paths] of [
    [350, PAGES],
    [1280, ["/", "/articles", "/profile"]],
  ] as const) {
    for (const path of paths) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(path);
      await expect(signOutButton(page)).toBeVisible();
      if (path === "/profile") await expect(page.getByLabel("Full Name")).toHaveValue("Ada Marlowe");
      else if (path !== "/" && width > 640) await expect(field(page, "Title")).toBeVisible();
      else if (path !== "/") await expect(openButton(page)).toBeVisible();
      const seen = await page.evaluate(() => (window as unknown as { seen: { signIn: boolean } }).seen);
      expect(seen.signIn, `${path} at ${width} pixels`).toBe(false);
      expect(await layoutShift(page), `${path} at ${width} pixels`).toBe(0);
      if (width === 350 && KINDS.some((kind) => kind.path === path)) await expectFormToFit(page, path);
    }
  }
});

const openButton = (page: Page) => page.getByRole("button", { name: "Open Form", exact: true });

/**
 * The space that is reserved for a folded form is exact. What a kind reserves for its form (`formHeight`) is large enough,
 * and little of it stays empty.
 */
async function expectFormToFit(page: Page, path: string): Promise<void> {
  const folded = page.locator(".editor-slot");
  const height = () => folded.evaluate((element) => element.getBoundingClientRect().height);
  const reserved = () => folded.evaluate((element) => Number.parseFloat(getComputedStyle(element).minHeight));
  expect(await height(), `the folded form of ${path}`).toBe(await reserved());
  await openButton(page).click();
  const slot = page.locator("div", { has: field(page, "Title") }).and(page.locator('[class*="min-h-"]'));
  const unused: Record<number, number> = {};
  for (const width of [390, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    unused[width] = await slot.first().evaluate((element) => {
      const reserved = Number.parseFloat(getComputedStyle(element).minHeight);
      element.style.minHeight = "0";
      const { height } = element.getBoundingClientRect();
      element.style.removeProperty("min-height");
      return reserved - height;
    });
  }
  const isFitting = Object.values(unused).every((pixels) => pixels >= 0 && pixels < 44);
  const found = JSON.stringify(unused);
  expect(isFitting, `formHeight of ${path} leaves 0 to 43 pixels unused, by width: ${found}`).toBe(true);
}

test("Sign Out ends the session in the browser and on the server but not on other devices, and opens the home page", async ({
  page,
  site,
  signIn,
}) => {
  const member = await site.addMember();
  const elsewhere = await site.openSession(member);
  await signIn(member);
  await page.goto("/useful-links");
  const { access_token } = JSON.parse((await storedSession(page)) ?? "{}");
  const ended = page.waitForResponse((response) => response.url().includes("/auth/v1/logout"));
  await signOutButton(page).click();
  await expect(page).toHaveURL("/");
  await expect(signOutButton(page)).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  expect(await storedSession(page)).toBeNull();
  await ended;
  const response = await fetch(`${site.url}/auth/v1/user`, {
    headers: { apikey: site.keys.anonKey, Authorization: `Bearer ${access_token}` },
  });
  expect([401, 403]).toContain(response.status);
  const { data } = await site.admin.auth.getUser(elsewhere.access_token);
  expect(data.user?.id, "other devices stay signed in").toBe(member.id);
  await page.goto("/useful-links");
  await hydrated(page);
  await expect(page.getByRole("heading", { name: "Add New Link" })).toHaveCount(0);
});

test.describe("signing out while the server is unreachable", () => {
  test.use({ expectedProblems: FAILED_REQUESTS });

  test("Sign Out works even while the server is unreachable, also with an expired session", async ({
    page,
    site,
    signIn,
  }) => {
    const member = await site.addMember();
    await signIn(member);
    await page.goto("/articles");
    await expect(signOutButton(page)).toBeVisible();
    await page.route("**/auth/v1/**", (route) => route.abort());
    await signOutButton(page).click();
    await expect(page).toHaveURL("/");
    await expect(signOutButton(page)).toHaveCount(0);
    expect(await storedSession(page)).toBeNull();

    await test.step("an expired session is removed immediately", async () => {
      await page.unroute("**/auth/v1/**");
      await signIn(member);
      await page.goto("/articles");
      await expect(signOutButton(page)).toBeVisible();
      await page.route("**/auth/v1/**", (route) => route.abort());
      await page.evaluate(() => {
        const session = JSON.parse(localStorage.getItem("techfolio.session") ?? "{}");
        const expired = { ...session, expires_at: Date.now() / 1_000 - 60 };
        localStorage.setItem("techfolio.session", JSON.stringify(expired));
      });
      await signOutButton(page).click();
      await expect(signOutButton(page)).toHaveCount(0);
      expect(await storedSession(page)).toBeNull();
    });
  });
});

test.describe("signing out when the home page's code cannot be loaded", () => {
  test.use({ expectedProblems: [/Failed to load resource|route module|Failed to fetch|exception: $/] });

  test("Sign Out ends the session and opens the home page even if the home page's code cannot be loaded", async ({
    page,
    site,
    signIn,
  }) => {
    await signIn(await site.addMember());
    await page.goto("/articles");
    await expect(signOutButton(page)).toBeVisible();
    // Simulates a deploy: the server no longer has the open page's script, but it has the script of a reloaded page.
    let isOutdated = true;
    page.on("request", (request) => {
      if (request.isNavigationRequest()) isOutdated = false;
    });
    await page.route(/\/assets\/home-/, (route) =>
      isOutdated ? route.fulfill({ status: 404 }) : route.continue(),
    );
    await signOutButton(page).click();
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("heading", { name: "Our Tech Expertise" })).toBeVisible();
    await hydrated(page);
    await expect(signOutButton(page)).toHaveCount(0);
    expect(await storedSession(page)).toBeNull();
  });
});

test("signing in or out in one tab updates the other tab, also if another member signs in", async ({
  page,
  context,
  site,
}) => {
  const first = await site.addMember({ full_name: "First Member" });
  const second = await site.addMember({ full_name: "Second Member" });
  const other = await context.newPage();
  await test.step("a tab with a list", async () => {
    await other.goto("/articles");
    await signInByForm(page, first);
    await expect(signOutButton(other)).toBeVisible();
    await expect(other.getByRole("heading", { name: "Create New Article" })).toBeVisible();
    await signOutButton(page).click();
    await expect(signOutButton(other)).toHaveCount(0);
    await expect(other.getByRole("heading", { name: "Create New Article" })).toHaveCount(0);
    await expect(other).toHaveURL("/articles");
  });
  await test.step("a tab with the profile", async () => {
    await signInByForm(page, first);
    // A request that is under way while the session ends would fail.
    const pictures = other.waitForResponse(/\/object\/list\/pictures/);
    await other.goto("/profile");
    await expect(other.getByLabel("Full Name")).toHaveValue("First Member");
    await (await pictures).finished();
    await signOutButton(page).click();
    await expect(signInHeading(other)).toBeVisible();
    await signInByForm(page, second);
    await expect(other.getByLabel("Full Name")).toHaveValue("Second Member");
  });
});

test.describe("two tabs after a recovery link", () => {
  test.use({ expectedProblems: FAILED_REQUESTS });
  test("a tab with the new-password form shows the sign-in form when another tab signs out, and the profile when that tab signs in", async ({
    page,
    context,
    site,
  }) => {
    const member = await site.addMember();
    const { data } = await site.admin.auth.admin.generateLink({ type: "recovery", email: member.email });
    await page.goto(`/profile?token_hash=${data.properties?.hashed_token}&type=recovery`);
    // Submitting the form uses up the link and starts a session, even if a Supabase project then rejects the password.
    await page.route("**/auth/v1/user", (route) =>
      route.request().method() === "PUT"
        ? route.fulfill({ status: 422, json: { error_code: "weak_password", msg: "Too weak." } })
        : route.continue(),
    );
    await page.getByLabel("New password").fill("password");
    await page.getByRole("button", { name: "Set password" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    const other = await context.newPage();
    await other.goto(`${site.url}/articles`);
    await signOutButton(other).click();
    await expect(signInHeading(page)).toBeVisible();
    await signInByForm(other, member);
    await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
  });
});

test.describe("expired and revoked sessions", () => {
  test.use({ expectedProblems: FAILED_REQUESTS });

  /** Changes the stored session before the site's code reads it, for example to make it look expired. */
  async function changeStoredSession(
    page: Page,
    change: (session: Record<string, unknown>) => void,
  ): Promise<void> {
    await openEmptyDocument(page);
    const session = JSON.parse((await storedSession(page)) ?? "{}");
    change(session);
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
      SESSION_KEY,
      JSON.stringify(session),
    ] as const);
  }

  test("an expired session is refreshed before a write, and the member is signed out if it cannot be refreshed", async ({
    page,
    site,
    signIn,
  }) => {
    await signIn(await site.addMember());
    await test.step("an expired session is refreshed before a write", async () => {
      await changeStoredSession(page, (session) => {
        session["expires_at"] = 1;
        session["access_token"] = "long.since.expired";
      });
      await page.goto("/articles");
      await field(page, "Title").fill("Written after the renewal");
      await field(page, "Content (Markdown)").fill("Text");
      await page.getByRole("button", { name: "Create Article" }).click();
      await expect(page.getByRole("article")).toHaveCount(1);
    });

    await test.step("a session that cannot be refreshed signs the member out", async () => {
      await changeStoredSession(page, (session) => {
        session["expires_at"] = 1;
        session["refresh_token"] = "unknown";
      });
      await page.goto("/profile");
      await expect(signInHeading(page)).toBeVisible();
      await expect(signOutButton(page)).toHaveCount(0);
      expect(await storedSession(page)).toBeNull();
    });
  });

  test("a member with an expired session sees the sign-in form within three seconds if the auth service is unreachable", async ({
    page,
    signIn,
    site,
  }) => {
    await signIn(await site.addMember());
    await changeStoredSession(page, (session) => {
      session["expires_at"] = 1;
    });
    await page.route("**/auth/v1/**", (route) => route.abort());
    await page.clock.install();
    // The auth client sets the limit when it is created, and then tries to refresh the session.
    const refresh = page.waitForEvent("requestfailed", (request) => request.url().includes("/auth/v1/token"));
    await page.goto("/profile");
    await refresh;
    const now = await page.evaluate(() => Date.now());
    // Move the page's clock three seconds forward and stop it, so that the result doesn't depend on the machine's speed.
    await page.clock.pauseAt(now + 3_000);
    await expect(signInHeading(page)).toBeVisible();
  });

  test("if a session was revoked elsewhere, the next save signs the member out and keeps the text as a draft", async ({
    page,
    site,
    member,
  }) => {
    await page.goto("/articles");
    await field(page, "Title").fill("Typed before the end");
    await field(page, "Content (Markdown)").fill("A long text");
    const { access_token } = JSON.parse((await storedSession(page)) ?? "{}");
    await site.admin.auth.admin.signOut(access_token, "global");
    await page.getByRole("button", { name: "Create Article" }).click();
    await expect(signOutButton(page)).toHaveCount(0);
    const signedOut = "You are signed out. Your text is kept as a draft.";
    await expect(page.getByRole("main").getByText(signedOut)).toBeVisible();
    await expect(page.locator("[aria-live=polite]")).toContainText(signedOut);
    await expect(page.getByRole("main").getByRole("link", { name: "Sign in", exact: true })).toBeVisible();
    expect(await storedTitles(site, ARTICLES)).toEqual([]);
    await expect(field(page, "Content (Markdown)")).toHaveValue("A long text");

    await signInByForm(page, member);
    await page.getByRole("banner").getByRole("link", { name: "Articles" }).click();
    const notice = page
      .getByRole("status")
      .filter({ hasText: "You have an unsent draft: Typed before the end" });
    await expect(notice).toBeVisible();
    await page.getByRole("button", { name: "Restore" }).click();
    await expect(field(page, "Content (Markdown)")).toHaveValue("A long text");
    await page.getByRole("button", { name: "Create Article" }).click();
    await expect(page.getByRole("article")).toHaveCount(1);
  });
});
