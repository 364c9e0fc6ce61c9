import { BlobWriter, TextReader, ZipWriter } from "@zip.js/zip.js/lib/zip-core-custom.js";
import type { MemberContent } from "./member-content.ts";
import { EXTENSIONS, fileNames } from "./names.ts";
import { writeFrontMatter } from "./write-front-matter.ts";

export function archiveFiles({ profile, skills, articles, links, samples }: MemberContent) {
  const articleName = fileNames();
  const sampleName = fileNames();
  const files = samples.map(({ code_content, ...rest }) => {
    const name = sampleName(rest.title, rest.id, EXTENSIONS[rest.language] ?? "txt");
    return { path: `sample-code/${name}`, text: code_content, rest };
  });
  return [
    { path: "profile.json", text: json(profile) },
    { path: "skills.json", text: json(skills) },
    ...articles.map(({ id, title, published, created_at, updated_at, content }) => ({
      path: `articles/${articleName(title, id, "md")}`,
      text: writeFrontMatter({ id, title, published, created_at, updated_at }) + content,
    })),
    { path: "useful-links.json", text: json(links) },
    { path: "sample-code.json", text: json(files.map(({ path, rest }) => ({ ...rest, file: path }))) },
    ...files.map(({ path, text }) => ({ path, text })),
  ];
}

export async function zipTexts(files: ReturnType<typeof archiveFiles>): Promise<Blob> {
  const zip = new ZipWriter(new BlobWriter("application/zip"), { useWebWorkers: false });
  for (const { path, text } of files) await zip.add(path, new TextReader(text));
  return zip.close();
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
