import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { zipTexts } from "../../../app/portability/export/archive.ts";
import { readPictureHeader } from "../../../common/pictures/picture-header.ts";
import { PUBLIC_PATH } from "../../../common/pictures/picture-path.ts";
import { ARTICLES, field, openForm } from "../../support/forms.ts";
import { makeFlatJpeg, makeGif, makePng, pathOf } from "../../support/pictures.ts";
import { expect, test } from "../../support/site.ts";
import { layoutShift, watchShifts } from "../../support/visiting.ts";

interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

const ADDRESS = /\/storage\/v1\/object\/public\/pictures\/[0-9a-f-]{36}\/[0-9a-f]{32}-(\d+)x(\d+)\.(\w+)/;
const UPLOADS = "**/storage/v1/object/pictures/**";

/** A picture of 2 × 2 pixels, made with libavif because browsers can't encode AVIF. */
const AVIF =
  "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB0AAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAIAAAACAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQ0MAAAAABNjb2xybmNseAACAAIAAYAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACVtZGF0EgAKCBgANogQEAwgMg8f8D///8WfhwB8+ErK42A=";

const contentField = (page: Page) => field(page, "Content (Markdown)");

/** Makes a picture that compresses like a photo: small rectangles on a gradient. */
async function makePhoto(page: Page, type: string, width: number, height: number): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ([type, width, height]) => {
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext("2d");
      if (!context) throw new Error("no canvas");
      const gradient = context.createLinearGradient(0, 0, width, height);
      gradient.addColorStop(0, "#224466");
      gradient.addColorStop(1, "#ddaa44");
      context.fillStyle = gradient;
      context.fillRect(0, 0, width, height);
      for (let index = 0; index < 4_000; index++) {
        context.fillStyle = `hsl(${(index * 137) % 360} 60% 50% / 60%)`;
        const [x, y] = [(index * 7_919) % width, (index * 104_729) % height];
        context.fillRect(x, y, width / 60, height / 60);
      }
      // The top left corner is red, so that tests can tell whether a picture is upright.
      context.fillStyle = "#ff0000";
      context.fillRect(0, 0, width / 2, height / 4);
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type, quality: 0.9 })).arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    },
    [type, width, height] as const,
  );
  return Buffer.from(base64, "base64");
}

/** Makes a PNG of random colors, which lossless compression can't shrink. */
async function makeNoise(page: Page, width: number, height: number): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ([width, height]) => {
      const pixels = new Uint8ClampedArray(width * height * 4);
      for (let row = 0; row < height; row++) {
        crypto.getRandomValues(pixels.subarray(row * width * 4, (row + 1) * width * 4));
      }
      for (let alpha = 3; alpha < pixels.length; alpha += 4) pixels[alpha] = 255;
      const canvas = new OffscreenCanvas(width, height);
      canvas.getContext("2d")?.putImageData(new ImageData(pixels, width, height), 0, 0);
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    },
    [width, height] as const,
  );
  return Buffer.from(base64, "base64");
}

/** Adds EXIF data with an orientation, which an upload must apply, and a GPS position, which it must remove. */
function withExif(jpeg: Buffer, orientation: number): Buffer {
  const entries = Buffer.concat([
    Buffer.from([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]),
    Buffer.from([0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38]),
  ]);
  const gps = Buffer.concat([
    Buffer.from([0, 1, 0, 1, 0, 2, 0, 0, 0, 2]),
    Buffer.from("N\0\0\0", "latin1"),
    Buffer.from([0, 0, 0, 0]),
  ]);
  const tiff = Buffer.concat([
    Buffer.from("MM\0*\0\0\0\x08", "latin1"),
    Buffer.from([0, 2]),
    entries,
    Buffer.from([0, 0, 0, 0]),
    gps,
    Buffer.from("SECRET PLACE 52.5200 13.4050", "latin1"),
  ]);
  const body = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff]);
  const segment = Buffer.alloc(4);
  segment.writeUInt16BE(0xffe1, 0);
  segment.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), segment, body, jpeg.subarray(2)]);
}

async function addPictures(page: Page, ...files: ChosenFile[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Add Picture" }).click();
  await (await chooser).setFiles(files);
}

const file = (name: string, mimeType: string, buffer: Buffer): ChosenFile => ({ name, mimeType, buffer });

/** Waits until the text contains the URL of the uploaded picture, and returns that URL. */
async function waitForUpload(page: Page): Promise<string> {
  // Decoding a large photo takes several seconds of CPU time.
  await expect(contentField(page)).toHaveValue(ADDRESS, { timeout: 30_000 });
  return ADDRESS.exec(await contentField(page).inputValue())?.[0] ?? "";
}

async function bytesOf(page: Page, address: string): Promise<Buffer> {
  return (await page.request.get(address)).body();
}

/** Returns the red and blue values of a pixel near each of the picture's top corners. */
function topCorners(page: Page, address: string): Promise<[number, number][]> {
  return page.evaluate(async (src) => {
    const image = await createImageBitmap(await (await fetch(src)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d", {
      willReadFrequently: true,
    });
    if (!context) throw new Error("no canvas");
    context.drawImage(image, 0, 0);
    return [0.1, 0.9].map((at) => {
      const [red = 0, , blue = 0] = context.getImageData(image.width * at, image.height * 0.1, 1, 1).data;
      return [red, blue] as [number, number];
    });
  }, address);
}

function paste(field: Locator, files: { name: string; type: string; base64: string }[]): Promise<void> {
  return field.evaluate((element, pasted) => {
    const data = new DataTransfer();
    for (const { name, type, base64 } of pasted) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], name, { type }));
    }
    element.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, files);
}

/** Drags a picture over a point of the page and drops it there. Returns whether the page accepted it. */
function dropPicture(
  page: Page,
  at: { x: number; y: number },
): Promise<{ accepts: boolean; opens: boolean }> {
  const base64 = makePng(31, 21).bytes.toString("base64");
  return page.evaluate(
    ([base64, { x, y }]) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], "dropped.png", { type: "image/png" }));
      const target = document.elementFromPoint(x, y);
      const event = { dataTransfer: data, bubbles: true, cancelable: true, clientX: x, clientY: y };
      target?.dispatchEvent(new DragEvent("dragover", event));
      return new Promise((resolve) => {
        // React shows the state of a drag in a later task.
        requestIdleCallback(() => {
          const field = document.querySelector("[data-drop-target] textarea");
          const accepts = field !== null && getComputedStyle(field).outlineStyle === "dashed";
          const opens = target?.dispatchEvent(new DragEvent("drop", event)) === true;
          resolve({ accepts, opens });
        });
      });
    },
    [base64, at] as const,
  );
}

test.describe("in the article form", () => {
  test.beforeEach(async ({ page, member: _signedIn }) => {
    await openForm(page, ARTICLES);
  });

  test("a member adds a photo to an article, describes it and publishes the article", async ({ page }) => {
    await contentField(page).fill("Before\n\n\n\nAfter");
    await contentField(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(8, 8));
    await addPictures(
      page,
      file("IMG 4711.jpg", "image/jpeg", await makePhoto(page, "image/jpeg", 4_000, 3_000)),
    );
    // The cursor is on the line after the picture, during the upload as well as afterwards.
    await page.keyboard.type("Taken ");
    const address = await waitForUpload(page);
    await page.keyboard.type("today");
    await expect(contentField(page)).toHaveValue(`Before\n\n![IMG 4711](${address})\nTaken today\nAfter`);
    await contentField(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(10, 18));
    await page.keyboard.type("A query plan of ours");
    await expect(
      page.getByRole("region", { name: "Preview" }).getByAltText("A query plan of ours"),
    ).toBeVisible();

    const bytes = await bytesOf(page, address);
    expect(readPictureHeader(bytes)).toEqual({
      extension: "webp",
      width: 2_000,
      height: 1_500,
      isAnimated: false,
    });
    expect(bytes.length).toBeLessThanOrEqual(400_000);

    await field(page, "Title").fill("With a picture");
    await field(page, "Publish article").check();
    await page.getByRole("button", { name: "Create Article" }).click();
    const card = page.getByRole("article");
    await expect(card.getByAltText("A query plan of ours")).toHaveAttribute("loading", "lazy");
    await card.getByRole("link", { name: "Permalink to With a picture" }).click();
    await expect(page).toHaveTitle(/^With a picture/);
    const image = page.getByAltText("A query plan of ours");
    await expect(image).toHaveJSProperty("naturalWidth", 2_000);
    await expect(image).toHaveAttribute("width", "2000");
    const [box, prose] = [await image.boundingBox(), await page.locator("article .prose").boundingBox()];
    expect(box?.width).toBeLessThanOrEqual(prose?.width ?? 0);
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4 / 3, 1);
    const html = await (await page.request.get(page.url())).text();
    const url = new URL(address, page.url()).href;
    expect(html).toContain(`<meta property="og:image" content="${url}"/>`);
    expect(html).toContain('<meta property="og:image:width" content="2000"/>');
    const [, jsonLd = "{}"] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? [];
    expect(JSON.parse(jsonLd).image).toBe(url);
  });

  test("JPEG, PNG, WebP, AVIF and still GIF files become WebP, even a photo of 108 megapixels, without EXIF data and upright, and an animated GIF stays unchanged", async ({
    page,
  }) => {
    test.slow();
    const animated = makeGif(40, 30, 4);
    const files: [ChosenFile, string][] = [
      [file("shot.png", "image/png", await makePhoto(page, "image/png", 300, 200)), "webp"],
      [file("small.webp", "image/webp", await makePhoto(page, "image/webp", 300, 200)), "webp"],
      [file("still.gif", "image/gif", makeGif(40, 30, 1).bytes), "webp"],
      [file("modern.avif", "image/avif", Buffer.from(AVIF, "base64")), "webp"],
      [file("moving.gif", "image/gif", animated.bytes), "gif"],
      [file("wrong-name.jpg", "image/jpeg", makePng(20, 10).bytes), "webp"],
    ];
    for (const [chosen, extension] of files) {
      await contentField(page).fill("");
      await addPictures(page, chosen);
      const address = await waitForUpload(page);
      expect(address, chosen.name).toMatch(new RegExp(`\\.${extension}$`));
      if (extension === "gif") expect(await bytesOf(page, address)).toEqual(animated.bytes);
    }

    await test.step("a photo of 108 megapixels is decoded at a smaller size, and other bytes between a file's segments are accepted", async () => {
      const jpeg = makeFlatJpeg(80, 60).bytes;
      const second = 4 + jpeg.readUInt16BE(4);
      const oddJpeg = Buffer.concat([jpeg.subarray(0, second), Buffer.alloc(5), jpeg.subarray(second)]);
      const gif = makeGif(40, 30, 1).bytes;
      const oddGif = Buffer.concat([gif.subarray(0, -1), Buffer.from("more")]);
      for (const [chosen, size] of [
        [file("phone.jpg", "image/jpeg", makeFlatJpeg(12_000, 9_000).bytes), "2000x1500"],
        [file("odd.jpg", "image/jpeg", oddJpeg), "80x60"],
        [file("odd.gif", "image/gif", oddGif), "40x30"],
      ] as const) {
        await contentField(page).fill("");
        await addPictures(page, chosen);
        expect(await waitForUpload(page), chosen.name).toContain(`-${size}.`);
      }
    });

    await test.step("an uploaded photo contains no EXIF data, and a sideways photo is turned upright", async () => {
      await contentField(page).fill("");
      const jpeg = withExif(await makePhoto(page, "image/jpeg", 800, 600), 6);
      await addPictures(page, file("holiday.jpg", "image/jpeg", jpeg));
      const address = await waitForUpload(page);
      const bytes = await bytesOf(page, address);
      expect(bytes.includes("Exif")).toBe(false);
      expect(bytes.includes("SECRET PLACE")).toBe(false);
      // Orientation 6 asks for a quarter turn clockwise, which moves the red area from the top left to the top right.
      expect(readPictureHeader(bytes)).toMatchObject({ width: 600, height: 800 });
      const [left, right] = await topCorners(page, address);
      expect(left?.[0]).toBeLessThan(200);
      expect(right?.[0]).toBeGreaterThan(200);
    });

    await test.step("a noisy PNG keeps its dimensions and takes at most 400 kB", async () => {
      const noise = await makeNoise(page, 700, 500);
      expect(noise.length).toBeGreaterThan(900_000);
      await contentField(page).fill("");
      await addPictures(page, file("noise.png", "image/png", noise));
      const bytes = await bytesOf(page, await waitForUpload(page));
      expect(readPictureHeader(bytes)).toMatchObject({ extension: "webp", width: 700, height: 500 });
      expect(bytes.length).toBeLessThanOrEqual(400_000);
    });
  });

  test("while several pictures upload with progress bars, the member can edit the text and cancel an upload, but not save, and the end of an upload keeps the focus", async ({
    page,
  }) => {
    const gate = Promise.withResolvers<void>();
    await page.route(UPLOADS, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await contentField(page).fill("");
    await addPictures(
      page,
      file("first.png", "image/png", makePng(30, 20, 10).bytes),
      file("second.png", "image/png", makePng(30, 20, 20).bytes),
      file("third.png", "image/png", makePng(30, 20, 30).bytes),
    );
    for (const name of ["first", "second", "third"]) {
      await expect(page.getByRole("progressbar", { name: `Uploading ${name}` })).toBeVisible();
    }
    await expect(page.locator("[aria-live]")).toContainText("Uploading first, second, third");
    await page.keyboard.type("More text");

    await field(page, "Title").fill("Too early");
    await page.getByRole("button", { name: "Create Article" }).click();
    const waiting = page.getByRole("alert").filter({ hasText: "Wait until the pictures are uploaded" });
    await expect(waiting).toHaveText("Wait until the pictures are uploaded, or cancel the uploads.");

    await page.getByRole("button", { name: "Cancel second" }).click();
    await expect(page.getByRole("progressbar", { name: "Uploading second" })).toHaveCount(0);
    gate.resolve();
    await expect(page.getByRole("progressbar")).toHaveCount(0);
    const value = await contentField(page).inputValue();
    expect(value).toMatch(/^!\[first\]\(\/storage\S+\)\n\n!\[third\]\(\/storage\S+\)\nMore text$/);
    await expect(waiting).toHaveCount(0);
    await page.getByRole("button", { name: "Create Article" }).click();
    await expect(page.getByRole("article").getByRole("img")).toHaveCount(2);
    await page.unroute(UPLOADS);

    await test.step("an upload that finishes while the member types a title keeps the focus and the title's cursor", async () => {
      const held = Promise.withResolvers<void>();
      await page.route(UPLOADS, async (route) => {
        await held.promise;
        await route.continue();
      });
      await contentField(page).fill("Text");
      await addPictures(page, file("plan.png", "image/png", makePng(30, 20).bytes));
      await expect(page.getByRole("progressbar")).toBeVisible();
      await field(page, "Title").focus();
      await page.keyboard.type("Before ");
      held.resolve();
      await waitForUpload(page);
      await page.keyboard.type("and after");
      await expect(field(page, "Title")).toHaveValue("Before and after");
    });
  });

  test.describe("picture uploads that fail", () => {
    test.use({ expectedProblems: [/storage|worker|Worker|image/] });

    test("files that are not usable pictures and failed uploads show an error and leave the text as it was, Create stores no trace of them, and the member can try again", async ({
      page,
      site,
    }) => {
      await test.step("a file that is not a usable picture shows a one-sentence error", async () => {
        const png = makePng(64, 64);
        const huge = makePng(60_000, 60_000);
        const cases: [ChosenFile, string | RegExp][] = [
          [
            file("logo.svg", "image/svg+xml", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
            "SVG pictures cannot be added: choose a PNG, JPEG, WebP, GIF or AVIF.",
          ],
          [
            file("page.png", "image/png", Buffer.from("<!doctype html>")),
            "page.png is not a supported picture: choose a PNG, JPEG, WebP, GIF or AVIF.",
          ],
          [
            file("huge.png", "image/png", huge.bytes),
            "huge.png has too many pixels. Make it smaller in a picture editor, for example 4,000 pixels wide.",
          ],
          [
            file("phone.jpg", "image/jpeg", Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1")),
            /^phone\.jpg is a HEIC photo: .* export it as JPEG\./,
          ],
          [file("cut.png", "image/png", png.bytes.subarray(0, 45)), "cut.png is damaged and cannot be read."],
        ];
        await contentField(page).fill("My text");
        for (const [chosen, sentence] of cases) {
          await addPictures(page, chosen);
          await expect(page.getByRole("alert").filter({ hasText: sentence })).toBeVisible();
          await expect(contentField(page)).toHaveValue("My text");
        }
      });

      await page.route(UPLOADS, (route) => route.abort());
      await field(page, "Title").fill("Without pictures");
      await contentField(page).fill("First line\nLast line");
      await contentField(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(5, 5));
      await addPictures(
        page,
        file("one.png", "image/png", makePng(30, 20, 10).bytes),
        file("two.png", "image/png", makePng(30, 20, 20).bytes),
      );
      await expect(page.getByRole("alert").filter({ hasText: "could not be uploaded" })).toHaveText(
        "The picture could not be uploaded. Try again in a moment.",
      );
      await expect(page.getByRole("progressbar")).toHaveCount(0);
      await expect(contentField(page)).toHaveValue("First line\nLast line");
      await page.getByRole("button", { name: "Create Article" }).click();
      await expect(page.getByRole("article")).toHaveCount(1);
      const { data } = await site.admin.from("articles").select("content").single().throwOnError();
      expect(data.content).toBe("First line\nLast line");

      await contentField(page).fill("My text");
      await addPictures(page, file("plan.png", "image/png", makePng(30, 20).bytes));
      await expect(page.getByText("could not be uploaded")).toBeVisible();
      await page.unroute(UPLOADS);
      await addPictures(page, file("plan.png", "image/png", makePng(30, 20).bytes));
      await waitForUpload(page);
      await expect(page.getByText("could not be uploaded")).toHaveCount(0);
    });
  });

  test("Enter and a second picture after an upload leave the first picture intact, and a backtick in a file name makes no code", async ({
    page,
  }) => {
    await contentField(page).fill("");
    await addPictures(page, file("one.png", "image/png", makePng(30, 20, 10).bytes));
    await waitForUpload(page);
    const selected = () =>
      contentField(page).evaluate(({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) =>
        value.slice(selectionStart, selectionEnd),
      );
    expect(await selected(), "the file's name, to type a description over it").toBe("one");
    await page.keyboard.press("Enter");
    await addPictures(page, file("two.png", "image/png", makePng(30, 20, 20).bytes));
    await expect(contentField(page)).toHaveValue(/^!\[one\]\(\/storage\S+\)\n+!\[two\]\(\/storage\S+\)\n$/);
    // Even with the cursor in the first picture's text, the next picture follows it.
    await contentField(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(3, 4));
    await addPictures(page, file("three.png", "image/png", makePng(30, 20, 30).bytes));
    await expect(contentField(page)).toHaveValue(
      /^!\[one\]\(\/storage\S+\)\n\n!\[three\]\(\/storage\S+\)\n+!\[two\]\(\/storage\S+\)\n$/,
    );

    await test.step("a line below the field asks for descriptions until each picture has one", async () => {
      await expect(page.getByText("Describe 3 pictures:")).toBeVisible();
      await page.getByRole("button", { name: "Describe two" }).click();
      expect(await selected()).toBe("two");
      await page.keyboard.type("The query plan");
      await expect(page.getByText("Describe 2 pictures:")).toBeVisible();
      await page.keyboard.press("Enter");
      await page.keyboard.type("More");
      await expect(contentField(page)).toHaveValue(/!\[The query plan\]\(\/storage\S+\)\nMore$/);
    });

    await contentField(page).fill("");
    await addPictures(page, file("it`s.png", "image/png", makePng(40, 30).bytes));
    await waitForUpload(page);
    await contentField(page).press("Control+End");
    await page.keyboard.type(" and `code`");
    await expect(page.getByRole("img", { name: "it's" })).toBeVisible();
  });

  test("Undo removes a picture during or after its upload, Redo uploads or restores it, and further Undo removes the typed text", async ({
    page,
    site,
  }) => {
    await test.step("Undo cancels an upload, and Redo starts it again", async () => {
      const held = Promise.withResolvers<void>();
      await page.route(UPLOADS, async (route) => {
        await held.promise;
        await route.continue().catch(() => undefined);
      });
      await contentField(page).fill("Text");
      await addPictures(page, file("plan.png", "image/png", makePng(30, 20).bytes));
      await expect(page.getByRole("progressbar")).toBeVisible();
      await contentField(page).press("Control+z");
      await expect(page.getByRole("progressbar")).toHaveCount(0);
      await contentField(page).press("Control+Shift+z");
      await expect(page.getByRole("progressbar")).toBeVisible();
      held.resolve();
      await waitForUpload(page);
      await expect(contentField(page)).not.toHaveValue(/uploading:/);
      await page.unroute(UPLOADS);
    });

    await field(page, "Title").fill("Undone");
    await contentField(page).fill("");
    // Insert the text in one step, because Undo takes back typed letters one by one.
    await page.keyboard.insertText("Typed");
    await addPictures(page, file("plan.png", "image/png", makePng(30, 20).bytes));
    const address = await waitForUpload(page);
    const withPicture = `Typed![plan](${address})\n`;
    await expect(contentField(page)).toHaveValue(withPicture);
    for (const _ of ["once", "twice"]) {
      await page.keyboard.press("Control+z");
      await expect(contentField(page)).toHaveValue("Typed");
      await page.keyboard.press("Control+Shift+z");
      await expect(contentField(page)).toHaveValue(withPicture);
    }
    await page.keyboard.press("Control+z");
    await expect(contentField(page)).toHaveValue("Typed");
    await page.keyboard.press("Control+z");
    await expect(contentField(page)).toHaveValue("");
    for (const value of ["Typed", withPicture]) {
      await page.keyboard.press("Control+Shift+z");
      await expect(contentField(page)).toHaveValue(value);
    }
    await page.getByRole("button", { name: "Create Article" }).click();
    await expect(page.getByRole("article")).toHaveCount(1);
    const { data } = await site.admin.from("articles").select("content").single().throwOnError();
    expect(data.content).toBe(withPicture);
  });

  test("an upload that ends while Edit reads an item types nothing into the focused field, and opening the item ends the next upload", async ({
    page,
    site,
    member,
  }) => {
    await site.add("articles", { author_id: member.id, title: "Old", content: "Old text" });
    await openForm(page, ARTICLES);
    const uploads = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    let count = 0;
    await page.route(UPLOADS, async (route) => {
      await uploads[count++ === 0 ? 0 : 1].promise;
      await route.continue().catch(() => undefined);
    });
    const read = Promise.withResolvers<void>();
    await page.route("**/rest/v1/articles?**", (route) => read.promise.then(() => route.continue()));
    const picture = makePng(30, 20).bytes;
    await contentField(page).fill("Text");
    await addPictures(page, file("plan.png", "image/png", picture));
    await page.getByRole("button", { name: "Edit Old" }).click();
    await expect(contentField(page)).toBeDisabled();
    const search = page.getByRole("searchbox", { name: "Search", exact: true });
    await search.focus();
    uploads[0].resolve();
    await expect(contentField(page)).toHaveValue(ADDRESS);
    await expect(search).toHaveValue("");
    await expect(search).toBeFocused();
    await expect(contentField(page)).toBeDisabled();

    read.resolve();
    await expect(contentField(page)).toHaveValue("Old text");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await addPictures(page, file("second.png", "image/png", picture));
    await expect(page.getByRole("progressbar")).toBeVisible();
    await page.getByRole("button", { name: "Edit Old" }).click();
    await expect(contentField(page)).toHaveValue("Old text");
    uploads[1].resolve();
    await expect(page.getByRole("progressbar")).toHaveCount(0);
    await expect(page.locator("[aria-live=polite]")).not.toContainText("Added second");
  });

  test("a tab closed during an upload leaves a draft without the picture", async ({ page }) => {
    await page.route(UPLOADS, () => new Promise(() => undefined));
    await field(page, "Title").fill("Half done");
    await contentField(page).fill("Text");
    await contentField(page).press("End");
    await addPictures(page, file("plan.png", "image/png", makePng(30, 20).bytes));
    await expect(contentField(page)).toHaveValue(/uploading:/);
    const context = page.context();
    await page.close({ runBeforeUnload: false });
    const later = await context.newPage();
    await openForm(later, ARTICLES);
    await later.getByRole("button", { name: "Restore" }).click();
    await expect(field(later, "Title")).toHaveValue("Half done");
    await expect(contentField(later)).toHaveValue("Text");
  });

  test("a member adds pictures by pasting, with the keyboard and by dropping them on a line of the text, but next to the field or on the preview they are neither added nor opened", async ({
    page,
  }) => {
    for (const place of [
      page.getByRole("region", { name: "Preview" }),
      page.getByRole("heading", { level: 1 }),
    ]) {
      const box = await place.boundingBox();
      const drop = await dropPicture(page, { x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5 });
      expect(drop).toEqual({ accepts: false, opens: false });
    }
    await expect(contentField(page)).toHaveValue("");

    await contentField(page).fill("First line\n\nLast line");
    const box = await contentField(page).boundingBox();
    const drop = await dropPicture(page, { x: (box?.x ?? 0) + 400, y: (box?.y ?? 0) + 10 + 36 });
    expect(drop).toEqual({ accepts: true, opens: false });
    await expect(contentField(page)).toHaveValue(/^First line\n!\[dropped\]\(\/storage\S+\)\nLast line$/);

    await contentField(page).fill("");
    const png = { name: "image.png", type: "image/png", base64: makePng(31, 21).bytes.toString("base64") };
    await contentField(page).focus();
    await paste(contentField(page), [png]);
    await waitForUpload(page);
    await contentField(page).fill("");
    await contentField(page).evaluate((element, { name, type, base64 }) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], name, { type }));
      for (const kind of ["dragover", "drop"]) {
        element.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
      }
    }, png);
    await waitForUpload(page);

    await contentField(page).fill("Text");
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Add Picture" }).press("Enter");
    await (await chooser).setFiles([file("plan.png", "image/png", makePng(30, 20).bytes)]);
    await waitForUpload(page);
    await expect(contentField(page)).toBeFocused();
  });
});

test("nothing on an article's page shifts while its ten pictures load", async ({ browser, site, member }) => {
  const pictures = Array.from({ length: 10 }, (_, index) => makePng(900, 400 + index, 20 * index));
  const bucket = site.admin.storage.from("pictures");
  for (const picture of pictures) {
    const { error } = await bucket.upload(pathOf(member.id, picture), picture.bytes);
    expect(error).toBeNull();
  }
  const content = pictures.map((picture) => `![Plan](${PUBLIC_PATH}${pathOf(member.id, picture)})`);
  const { id } = await site.add("articles", {
    author_id: member.id,
    title: "Ten pictures",
    content: content.join("\n\nA paragraph.\n\n"),
    published: true,
  });
  const visitor = await browser.newPage({ baseURL: site.url });
  await watchShifts(visitor);
  await visitor.goto(`/articles/${id}`);
  const loading = () =>
    visitor
      .locator(".prose img")
      .evaluateAll((images) => images.map((image) => image.getAttribute("loading")));
  expect(await loading()).toEqual(["eager", ...Array(9).fill("lazy")]);
  for (const picture of await visitor.getByAltText("Plan").all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect(picture).toHaveJSProperty("naturalWidth", 900);
  }
  expect(await layoutShift(visitor)).toBe(0);
  await visitor.close();
});

test("a profile is not saved while its portrait is uploading, and of two portraits the later one is used and becomes a square", async ({
  page,
  member: _signedIn,
}) => {
  await page.goto("/profile");
  const held = Promise.withResolvers<void>();
  let uploads = 0;
  await page.route(UPLOADS, async (route) => {
    // The first upload is slower than the second.
    if (++uploads === 1) await held.promise;
    await route.continue().catch(() => undefined);
  });
  const choose = async (chosen: ChosenFile) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose Picture" }).click();
    await (await chooser).setFiles([chosen]);
  };
  await choose(file("slow.png", "image/png", makePng(20, 20).bytes));
  await expect(page.getByRole("progressbar", { name: "Uploading slow" })).toBeVisible();
  await expect.poll(() => uploads).toBe(1);
  await page.getByRole("button", { name: "Save Profile" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Wait until the pictures" })).toBeVisible();
  await choose(file("me.jpg", "image/jpeg", await makePhoto(page, "image/jpeg", 1_600, 1_200)));
  await expect(page.getByLabel("Avatar URL")).toHaveValue(ADDRESS);
  const address = await page.getByLabel("Avatar URL").inputValue();
  expect(address).toMatch(/-512x512\.webp$/);
  held.resolve();
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  const saved = page.waitForEvent("dialog").then((dialog) => dialog.accept());
  await page.getByRole("button", { name: "Save Profile" }).click();
  await saved;
  await page.reload();
  await expect(page.getByLabel("Avatar URL")).toHaveValue(address);
});

test("Your Content lists a member's pictures and where they are used, and a deleted picture can be restored with the keyboard", async ({
  page,
  site,
  member,
}) => {
  const bucket = site.admin.storage.from("pictures");
  const [used, ...unused] = [makePng(800, 600, 10), makePng(40, 30, 20), makePng(40, 30, 30)] as const;
  for (const picture of [...unused, used]) {
    const { error } = await bucket.upload(pathOf(member.id, picture), picture.bytes);
    expect(error).toBeNull();
  }
  const address = PUBLIC_PATH + pathOf(member.id, used);
  const { id } = await site.add("articles", {
    author_id: member.id,
    title: "About plans",
    content: `![Plan](${address})`,
    published: true,
  });
  await page.goto("/profile");
  const items = page.getByRole("list", { name: "Pictures" }).getByRole("listitem");
  const names = () =>
    items.getByRole("img").evaluateAll((images) => images.map((image) => image.getAttribute("alt")));
  await expect.poll(names).toEqual(["Picture 3", "Picture 2", "Picture 1"]);
  const newest = items.filter({ hasText: "800 × 600" });
  await expect(newest.getByRole("link", { name: "About plans" })).toHaveAttribute(
    "href",
    `/articles/about-plans-${id.slice(-12)}`,
  );
  await expect(newest.getByRole("img")).toHaveAttribute("alt", "Picture 3");
  await expect(items.filter({ hasText: "40 × 30" }).filter({ hasText: "Not used" })).toHaveCount(2);

  await test.step("deleting a picture focuses the notice before Undo, and the others keep their names", async () => {
    await page.getByRole("button", { name: "Delete Picture 2" }).press("Enter");
    await expect.poll(names).toEqual(["Picture 3", "Picture 1"]);
    await expect(page.getByRole("status").filter({ hasText: 'Deleted "Picture 2".' })).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name: "Undo" })).toBeFocused();
    await page.keyboard.press("Enter");
    // Undo uploads the picture again, so it is now the newest one.
    await expect.poll(names).toEqual(["Picture 2", "Picture 3", "Picture 1"]);
  });

  await test.step("a deleted picture is gone, and Undo restores it under its URL", async () => {
    await page.getByRole("button", { name: "Delete Picture 3" }).click();
    await expect(items).toHaveCount(2);
    expect((await page.request.get(address)).ok()).toBe(false);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(items).toHaveCount(3);
    expect((await page.request.get(address)).ok()).toBe(true);
  });
});

test("a downloaded archive contains the member's pictures, and another member who imports the archive gets copies of them", async ({
  page,
  site,
  member,
  signIn,
}) => {
  const picture = makePng(60, 50, 30);
  const pathFor = (owner: string) => pathOf(owner, picture);
  await site.admin.storage.from("pictures").upload(pathFor(member.id), picture.bytes);
  await site.add("articles", {
    author_id: member.id,
    title: "About plans",
    content: `![Plan](${PUBLIC_PATH}${pathFor(member.id)})`,
    published: true,
  });
  await page.goto("/profile");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download My Content" }).click();
  const archive = await (await download).path();
  // A request that is under way while the account is removed would fail.
  await page.waitForLoadState("networkidle");
  await site.clear();

  const other = await site.addMember();
  await signIn(other);
  await page.goto("/profile");
  await page.getByLabel("Import Content").setInputFiles({
    name: "techfolio.zip",
    mimeType: "application/zip",
    buffer: await readFile(archive),
  });
  await expect(page.getByText("with a picture")).toBeVisible();
  await page.getByRole("button", { name: "Import 1 Items" }).click();
  await expect(page.getByText("Imported 1 item.")).toBeVisible();
  const { data } = await site.admin.from("articles").select("content").eq("author_id", other.id).single();
  expect(data?.content).toBe(`![Plan](${PUBLIC_PATH}${pathFor(other.id)})`);
  expect(await bytesOf(page, PUBLIC_PATH + pathFor(other.id))).toEqual(picture.bytes);
});

test("importing a Hugo page bundle scales its pictures down and uploads them, and the lists of pictures and items show what was imported", async ({
  page,
  site,
  member,
}) => {
  const photoBytes = await makePhoto(page, "image/jpeg", 2_400, 1_200);
  await page.goto("/profile");
  const posts = await zipTexts(
    [{ path: "posts/joins/index.md", text: "---\ntitle: Joins\ndate: 2020-01-01\n---\n![Plan](plan.jpg)\n" }],
    [{ path: "posts/joins/plan.jpg", read: async () => new Blob([new Uint8Array(photoBytes)]) }],
  );
  await page.getByLabel("Import Content").setInputFiles({
    name: "site.zip",
    mimeType: "application/zip",
    buffer: Buffer.from(await posts.arrayBuffer()),
  });
  await page.getByRole("button", { name: "Import 1 Items" }).click();
  await expect(page.getByText("Imported 1 item.")).toBeVisible();
  await expect(page.getByRole("img", { name: "Picture 1" })).toBeVisible();
  await page.getByRole("link", { name: "Show in Your Items" }).click();
  const items = page.getByRole("region", { name: "Your Items" });
  await expect(items).toBeInViewport();
  await expect(items.getByRole("link", { name: "Joins", exact: true })).toBeVisible();
  const { data } = await site.admin.from("articles").select("content").eq("author_id", member.id).single();
  const address = ADDRESS.exec(data?.content)?.[0] ?? "";
  expect(readPictureHeader(await bytesOf(page, address))).toMatchObject({ extension: "webp", width: 2_000 });
});

test.describe("pictures that cannot be loaded", () => {
  test.use({ expectedProblems: [/400|404/] });

  test("a picture that cannot be loaded shows its alternative text on one line", async ({
    page,
    site,
    member,
  }) => {
    const gone = `/storage/v1/object/public/pictures/${member.id}/${"0a".repeat(16)}-1600x1200.webp`;
    const { id } = await site.add("articles", {
      author_id: member.id,
      title: "Gone",
      content: `![The plan](${gone})\n\nAfter`,
      published: true,
    });
    await page.goto(`/articles/${id}`);
    const image = page.getByAltText("The plan");
    await expect(image).toHaveAttribute("data-broken");
    expect((await image.boundingBox())?.height).toBeLessThan(60);
  });
});
