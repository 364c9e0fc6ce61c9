/**
 * Returns the software bill of materials of a release in CycloneDX's format (https://cyclonedx.org/docs/1.5/json).
 * `packages` are the entries of the lock file, by folder.
 */
export function billOfMaterials({ name, version }, packages) {
  const components = Object.entries(packages).map(([folder, entry]) => component(folder, entry));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { type: "application", name, version, purl: `pkg:npm/${name}@${version}` } },
    components,
  };
}

function component(folder, { version, license, integrity, optional }) {
  const name = folder.replace(/^.*node_modules\//, "");
  const [algorithm, digest = ""] = integrity?.split("-", 2) ?? [];
  return {
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    scope: optional ? "optional" : "required",
    ...(license && { licenses: [{ expression: license }] }),
    ...(algorithm && {
      hashes: [
        { alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(digest, "base64").toString("hex") },
      ],
    }),
  };
}
