// @generated from server/cli/check-settings.ts, what it imports, and valibot (MIT License, © Fabian Hiller).
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { getSystemErrorMap, parseEnv } from "node:util";
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
// server/config/operator-error.ts
/** An expected failure. The server and the commands print only its message: the problem, and what to do about it. */
var OperatorError = class extends Error {
	name = "OperatorError";
};
var DEFAULT_CONFIG = {
	lang: void 0,
	message: void 0,
	abortEarly: void 0,
	abortPipeEarly: void 0
};
/**
* Returns the global configuration.
*
* @param config The config to merge.
*
* @returns The configuration.
*/
/* @__NO_SIDE_EFFECTS__ */
function getGlobalConfig(config$1) {
	if (!config$1 && true) return DEFAULT_CONFIG;
	return {
		lang: config$1?.lang ?? void 0,
		message: config$1?.message,
		abortEarly: config$1?.abortEarly ?? void 0,
		abortPipeEarly: config$1?.abortPipeEarly ?? void 0
	};
}
/**
* Stringifies an unknown input to a literal or type string.
*
* @param input The unknown input.
*
* @returns A literal or type string.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _stringify(input) {
	const type = typeof input;
	if (type === "string") return `"${input}"`;
	if (type === "number" || type === "bigint" || type === "boolean") return `${input}`;
	if (type === "object" || type === "function") return (input && Object.getPrototypeOf(input)?.constructor?.name) ?? "null";
	return type;
}
/**
* Adds an issue to the dataset.
*
* @param context The issue context.
* @param label The issue label.
* @param dataset The input dataset.
* @param config The configuration.
* @param other The optional props.
*
* @internal
*/
function _addIssue(context, label, dataset, config$1, other) {
	const input = other && "input" in other ? other.input : dataset.value;
	const expected = other?.expected ?? context.expects ?? null;
	const received = other?.received ?? /* @__PURE__ */ _stringify(input);
	const issue = {
		kind: context.kind,
		type: context.type,
		input,
		expected,
		received,
		message: `Invalid ${label}: ${expected ? `Expected ${expected} but r` : "R"}eceived ${received}`,
		requirement: context.requirement,
		path: other?.path,
		issues: other?.issues,
		lang: config$1.lang,
		abortEarly: config$1.abortEarly,
		abortPipeEarly: config$1.abortPipeEarly
	};
	const isSchema = context.kind === "schema";
	const message$1 = other?.message ?? context.message ?? (context.reference, issue.lang, void 0) ?? (isSchema ? (issue.lang, void 0) : null) ?? config$1.message ?? (issue.lang, void 0);
	if (message$1 !== void 0) issue.message = typeof message$1 === "function" ? message$1(issue) : message$1;
	if (isSchema) dataset.typed = false;
	if (dataset.issues) dataset.issues.push(issue);
	else dataset.issues = [issue];
}
var textEncoder;
/**
* Returns the byte count of the input.
*
* @param input The input to be measured.
*
* @returns The byte count.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _getByteCount(input) {
	if (!textEncoder) textEncoder = new TextEncoder();
	return textEncoder.encode(input).length;
}
/**
* Joins multiple `expects` values with the given separator.
*
* @param values The `expects` values.
* @param separator The separator.
*
* @returns The joined `expects` property.
*
* @internal
*/
/* @__NO_SIDE_EFFECTS__ */
function _joinExpects(values$1, separator) {
	const list = [...new Set(values$1)];
	if (list.length > 1) return `(${list.join(` ${separator} `)})`;
	return list[0] ?? "never";
}
/**
* Eagerly creates and attaches the Standard Schema properties of a schema.
*
* Hint: The contextual `this` type includes the standard properties that are
* attached before the schema is returned.
*
* @param schema The schema to attach standard properties to.
*
* @returns The schema with standard properties attached.
*
* @internal
*/
function _standardSchema(schema) {
	schema["~standard"] = {
		version: 1,
		vendor: "valibot",
		validate: (value$1) => schema["~run"]({ value: value$1 }, /* @__PURE__ */ getGlobalConfig())
	};
	return schema;
}
/* @__NO_SIDE_EFFECTS__ */
function check(requirement, message$1) {
	return {
		kind: "validation",
		type: "check",
		reference: check,
		async: false,
		expects: null,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement(dataset.value)) _addIssue(this, "input", dataset, config$1);
			return dataset;
		}
	};
}
/* @__NO_SIDE_EFFECTS__ */
function maxLength(requirement, message$1) {
	return {
		kind: "validation",
		type: "max_length",
		reference: maxLength,
		async: false,
		expects: `<=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && dataset.value.length > this.requirement) _addIssue(this, "length", dataset, config$1, { received: `${dataset.value.length}` });
			return dataset;
		}
	};
}
/* @__NO_SIDE_EFFECTS__ */
function minBytes(requirement, message$1) {
	return {
		kind: "validation",
		type: "min_bytes",
		reference: minBytes,
		async: false,
		expects: `>=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed) {
				const length$1 = /* @__PURE__ */ _getByteCount(dataset.value);
				if (length$1 < this.requirement) _addIssue(this, "bytes", dataset, config$1, { received: `${length$1}` });
			}
			return dataset;
		}
	};
}
/* @__NO_SIDE_EFFECTS__ */
function minLength(requirement, message$1) {
	return {
		kind: "validation",
		type: "min_length",
		reference: minLength,
		async: false,
		expects: `>=${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && dataset.value.length < this.requirement) _addIssue(this, "length", dataset, config$1, { received: `${dataset.value.length}` });
			return dataset;
		}
	};
}
/**
* Creates a raw check validation action.
*
* @param action The validation action.
*
* @returns A raw check action.
*/
/* @__NO_SIDE_EFFECTS__ */
function rawCheck(action) {
	return {
		kind: "validation",
		type: "raw_check",
		reference: rawCheck,
		async: false,
		expects: null,
		"~run"(dataset, config$1) {
			action({
				dataset,
				config: config$1,
				addIssue: (info) => _addIssue(this, info?.label ?? "input", dataset, config$1, info)
			});
			return dataset;
		}
	};
}
/**
* Creates a raw transformation action.
*
* @param action The transformation action.
*
* @returns A raw transform action.
*/
/* @__NO_SIDE_EFFECTS__ */
function rawTransform(action) {
	return {
		kind: "transformation",
		type: "raw_transform",
		reference: rawTransform,
		async: false,
		"~run"(dataset, config$1) {
			const output = action({
				dataset,
				config: config$1,
				addIssue: (info) => _addIssue(this, info?.label ?? "input", dataset, config$1, info),
				NEVER: null
			});
			if (dataset.issues) dataset.typed = false;
			else dataset.value = output;
			return dataset;
		}
	};
}
/* @__NO_SIDE_EFFECTS__ */
function regex(requirement, message$1) {
	return {
		kind: "validation",
		type: "regex",
		reference: regex,
		async: false,
		expects: `${requirement}`,
		requirement,
		message: message$1,
		"~run"(dataset, config$1) {
			if (dataset.typed && !this.requirement.test(dataset.value)) _addIssue(this, "format", dataset, config$1);
			return dataset;
		}
	};
}
/**
* Creates a to lower case transformation action.
*
* @returns A to lower case action.
*/
/* @__NO_SIDE_EFFECTS__ */
function toLowerCase() {
	return {
		kind: "transformation",
		type: "to_lower_case",
		reference: toLowerCase,
		async: false,
		"~run"(dataset) {
			dataset.value = dataset.value.toLowerCase();
			return dataset;
		}
	};
}
/**
* Creates a custom transformation action.
*
* @param operation The transformation operation.
*
* @returns A transform action.
*/
/* @__NO_SIDE_EFFECTS__ */
function transform(operation) {
	return {
		kind: "transformation",
		type: "transform",
		reference: transform,
		async: false,
		operation,
		"~run"(dataset) {
			dataset.value = this.operation(dataset.value);
			return dataset;
		}
	};
}
/**
* Returns the fallback value of the schema.
*
* @param schema The schema to get it from.
* @param dataset The output dataset if available.
* @param config The config if available.
*
* @returns The fallback value.
*/
/* @__NO_SIDE_EFFECTS__ */
function getFallback(schema, dataset, config$1) {
	return typeof schema.fallback === "function" ? schema.fallback(dataset, config$1) : schema.fallback;
}
/**
* Returns the default value of the schema.
*
* @param schema The schema to get it from.
* @param dataset The input dataset if available.
* @param config The config if available.
*
* @returns The default value.
*/
/* @__NO_SIDE_EFFECTS__ */
function getDefault(schema, dataset, config$1) {
	return typeof schema.default === "function" ? schema.default(dataset, config$1) : schema.default;
}
/* @__NO_SIDE_EFFECTS__ */
function array(item, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "array",
		reference: array,
		expects: "Array",
		async: false,
		item,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (Array.isArray(input)) {
				dataset.typed = true;
				dataset.value = [];
				for (let key = 0; key < input.length; key++) {
					const value$1 = input[key];
					const itemDataset = this.item["~run"]({ value: value$1 }, config$1);
					if (itemDataset.issues) {
						const pathItem = {
							type: "array",
							origin: "value",
							input,
							key,
							value: value$1
						};
						for (const issue of itemDataset.issues) {
							if (issue.path) issue.path.unshift(pathItem);
							else issue.path = [pathItem];
							dataset.issues?.push(issue);
						}
						if (!dataset.issues) dataset.issues = itemDataset.issues;
						if (config$1.abortEarly) {
							dataset.typed = false;
							break;
						}
					}
					if (!itemDataset.typed) dataset.typed = false;
					dataset.value.push(itemDataset.value);
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function object(entries$1, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "object",
		reference: object,
		expects: "Object",
		async: false,
		entries: entries$1,
		message: message$1,
		"~run"(dataset, config$1) {
			const input = dataset.value;
			if (input && typeof input === "object") {
				dataset.typed = true;
				dataset.value = {};
				for (const key in this.entries) {
					const valueSchema = this.entries[key];
					if (key in input || (valueSchema.type === "exact_optional" || valueSchema.type === "optional" || valueSchema.type === "nullish") && valueSchema.default !== void 0) {
						const value$1 = key in input ? input[key] : /* @__PURE__ */ getDefault(valueSchema);
						const valueDataset = valueSchema["~run"]({ value: value$1 }, config$1);
						if (valueDataset.issues) {
							const pathItem = {
								type: "object",
								origin: "value",
								input,
								key,
								value: value$1
							};
							for (const issue of valueDataset.issues) {
								if (issue.path) issue.path.unshift(pathItem);
								else issue.path = [pathItem];
								dataset.issues?.push(issue);
							}
							if (!dataset.issues) dataset.issues = valueDataset.issues;
							if (config$1.abortEarly) {
								dataset.typed = false;
								break;
							}
						}
						if (!valueDataset.typed) dataset.typed = false;
						dataset.value[key] = valueDataset.value;
					} else if (valueSchema.fallback !== void 0) dataset.value[key] = /* @__PURE__ */ getFallback(valueSchema);
					else if (valueSchema.type !== "exact_optional" && valueSchema.type !== "optional" && valueSchema.type !== "nullish") {
						_addIssue(this, "key", dataset, config$1, {
							input: void 0,
							expected: `"${key}"`,
							path: [{
								type: "object",
								origin: "key",
								input,
								key,
								value: input[key]
							}]
						});
						if (config$1.abortEarly) break;
					}
				}
			} else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function optional$2(wrapped, default_) {
	return _standardSchema({
		kind: "schema",
		type: "optional",
		reference: optional$2,
		expects: `(${wrapped.expects} | undefined)`,
		async: false,
		wrapped,
		default: default_,
		"~run"(dataset, config$1) {
			if (dataset.value === void 0) {
				if (this.default !== void 0) dataset.value = /* @__PURE__ */ getDefault(this, dataset, config$1);
				if (dataset.value === void 0) {
					dataset.typed = true;
					return dataset;
				}
			}
			return this.wrapped["~run"](dataset, config$1);
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function picklist(options, message$1) {
	return _standardSchema({
		kind: "schema",
		type: "picklist",
		reference: picklist,
		expects: /* @__PURE__ */ _joinExpects(options.map(_stringify), "|"),
		async: false,
		options,
		message: message$1,
		"~run"(dataset, config$1) {
			if (this.options.includes(dataset.value)) dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function string(message$1) {
	return _standardSchema({
		kind: "schema",
		type: "string",
		reference: string,
		expects: "string",
		async: false,
		message: message$1,
		"~run"(dataset, config$1) {
			if (typeof dataset.value === "string") dataset.typed = true;
			else _addIssue(this, "type", dataset, config$1);
			return dataset;
		}
	});
}
/* @__NO_SIDE_EFFECTS__ */
function pipe(...pipe$1) {
	return _standardSchema({
		...pipe$1[0],
		pipe: pipe$1,
		"~run"(dataset, config$1) {
			for (const item of pipe$1) if (item.kind !== "metadata") {
				if (dataset.issues && (item.kind === "schema" || item.kind === "transformation")) {
					dataset.typed = false;
					break;
				}
				if (!dataset.issues || !config$1.abortEarly && !config$1.abortPipeEarly) dataset = item["~run"](dataset, config$1);
			}
			return dataset;
		}
	});
}
/**
* Parses an unknown input based on a schema.
*
* @param schema The schema to be used.
* @param input The input to be parsed.
* @param config The parse configuration.
*
* @returns The parse result.
*/
/* @__NO_SIDE_EFFECTS__ */
function safeParse(schema, input, config$1) {
	const dataset = schema["~run"]({ value: input }, /* @__PURE__ */ getGlobalConfig(config$1));
	return {
		typed: dataset.typed,
		success: !dataset.issues,
		output: dataset.value,
		issues: dataset.issues
	};
}
// server/config/error-message.ts
function errorMessage(error) {
	if (error instanceof AggregateError && error.message === "") return errorMessage(error.errors[0]);
	if (error instanceof Error) return error.message;
	return typeof error === "object" && error !== null ? error.constructor.name : String(error);
}
/** Like `errorMessage`, but for an error of the operating system only its text, without the code, the call and the path. */
function systemErrorMessage(error) {
	const { errno } = error;
	const [, message] = errno === void 0 ? [] : getSystemErrorMap().get(errno) ?? [];
	return message ?? errorMessage(error);
}
// server/config/relying-party.ts
/** Whether passkeys can belong to the site. WebAuthn requires a host name: an IP address can't be a relying party. */
function hasDomain(siteUrl) {
	return isIP(new URL(siteUrl).hostname.replace(/^\[|\]$/g, "")) === 0;
}
// server/config/single-sign-on.ts
var optional$1 = (schema) => /* @__PURE__ */ optional$2(schema, void 0);
/** The package openid-client also allows http, but only this machine can be trusted without TLS. */
function isSecure({ protocol, hostname }) {
	return protocol === "https:" || protocol === "http:" && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
var issuer = /* @__PURE__ */ pipe(/* @__PURE__ */ string(), /* @__PURE__ */ check((value) => {
	if (!URL.canParse(value)) return false;
	const url = new URL(value);
	return isSecure(url) && url.username === "" && /^[^?#]*$/.test(value);
}, ({ input }) => `must be an https address without ? or # (http only on this machine), not "${input}".`));
var list = /* @__PURE__ */ pipe(/* @__PURE__ */ string(), /* @__PURE__ */ transform((value) => value.split(",").flatMap((part) => part.trim() || [])), /* @__PURE__ */ minLength(1, "must contain at least one value."));
var domains = /* @__PURE__ */ pipe(list, /* @__PURE__ */ array(/* @__PURE__ */ pipe(/* @__PURE__ */ string(), /* @__PURE__ */ check((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(domainToASCII(domain)), ({ input }) => `must be email domains like example.com, separated by commas, not "${input}".`), /* @__PURE__ */ transform((domain) => domainToASCII(domain).toLowerCase()))));
/** The variables for single sign-on with a provider that supports OpenID Connect. */
var singleSignOnVariables = {
	OIDC_ISSUER: optional$1(issuer),
	OIDC_CLIENT_ID: optional$1(/* @__PURE__ */ string()),
	OIDC_CLIENT_SECRET: optional$1(/* @__PURE__ */ string()),
	OIDC_DOMAINS: optional$1(domains),
	OIDC_NAME: optional$1(/* @__PURE__ */ pipe(/* @__PURE__ */ string(), /* @__PURE__ */ maxLength(50, "must have at most 50 characters."))),
	OIDC_OPERATORS: optional$1(list),
	PASSWORD_SIGN_IN: /* @__PURE__ */ optional$2(/* @__PURE__ */ picklist(["on", "off"], ({ input }) => `must be "on" or "off", not "${input}".`), "on")
};
var REQUIRED = [
	"OIDC_ISSUER",
	"OIDC_CLIENT_ID",
	"OIDC_CLIENT_SECRET",
	"OIDC_DOMAINS"
];
/** Returns a sentence for the operator if the settings don't fit together. */
function singleSignOnConflict(values) {
	const { OIDC_NAME, OIDC_OPERATORS, PASSWORD_SIGN_IN, SUPABASE_URL } = values;
	const missing = REQUIRED.filter((name) => values[name] === void 0);
	const isWanted = missing.length < REQUIRED.length || OIDC_NAME !== void 0 || OIDC_OPERATORS !== void 0;
	if (SUPABASE_URL !== void 0 && (isWanted || PASSWORD_SIGN_IN === "off")) return "OIDC_* and PASSWORD_SIGN_IN=off cannot be used with SUPABASE_URL: configure sign-in in the Supabase project.";
	if (missing.length === 0) return void 0;
	const names = new Intl.ListFormat("en").format(missing);
	if (isWanted) return `Single sign-on is incomplete: set ${names} too, or unset all OIDC_* settings.`;
	if (PASSWORD_SIGN_IN === "on") return void 0;
	return `With PASSWORD_SIGN_IN=off, no member could sign in: set ${names} too.`;
}
function singleSignOn(values) {
	const { OIDC_ISSUER: address, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_DOMAINS } = values;
	if (!address || !clientId || !clientSecret || !OIDC_DOMAINS) return void 0;
	return {
		issuer: new URL(address),
		clientId,
		clientSecret,
		/** In lower case, and in ASCII (`xn--…`). */
		domains: OIDC_DOMAINS,
		name: values.OIDC_NAME ?? new URL(address).host,
		/** Values of the claim `groups` that make a member an operator. If undefined, the provider never changes roles. */
		operatorGroups: values.OIDC_OPERATORS
	};
}
// server/config/footer-links.ts
var FORMAT = "must be like \"Imprint=https://example.com/imprint; Privacy=https://example.com/privacy\"";
var footerLinks = /* @__PURE__ */ pipe(/* @__PURE__ */ string(), /* @__PURE__ */ transform((list) => list.split(";").flatMap((link) => link.trim() || [])), /* @__PURE__ */ array(/* @__PURE__ */ pipe(/* @__PURE__ */ string(), /* @__PURE__ */ regex(/^[^=]*[^=\s][^=]*=/, ({ input }) => `${FORMAT}, but "${input}" lacks a name or an address.`), /* @__PURE__ */ transform((link) => {
	const end = link.indexOf("=");
	return {
		name: link.slice(0, end).trim(),
		href: link.slice(end + 1).trim()
	};
}), /* @__PURE__ */ check(({ href }) => isAllowed(href), ({ input: { name, href } }) => `leads to "${href}" under the name "${name}": use http, https or mailto, or a path with one slash at its start.`))));
function isAllowed(href) {
	if (/[\s\\\p{Cc}]/u.test(href)) return false;
	if (href.startsWith("/")) return !href.startsWith("//");
	return /^(https?|mailto):$/.test(URL.canParse(href) ? new URL(href).protocol : "");
}
// server/config/mail-templates.ts
/** Emails with replaceable texts (contract, "Texts of emails"). True if the email needs its link. */
var NEEDS_LINK = {
	recovery: true,
	invite: true,
	join: true,
	"join-known": true,
	"passkey-added": false,
	"passkey-removed": false,
	reports: false
};
var FILE_ENDINGS = {
	subject: ".subject.txt",
	text: ".txt",
	html: ".html"
};
var PLACEHOLDERS = [
	"ConfirmationURL",
	"SiteURL",
	"Email",
	"SiteName"
];
/** Also finds what only looks like a placeholder, to report it. */
var BRACES = /\{\{(?:\s*\.(\w+)\s*\}\}|.*?\}\}|)/g;
var MAIL_NAMES = Object.keys(NEEDS_LINK);
var PARTS = Object.keys(FILE_ENDINGS);
var mailTemplates = /* @__PURE__ */ pipe(/* @__PURE__ */ string(), /* @__PURE__ */ rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
	const folder = path.resolve(value);
	const templates = {};
	try {
		for (const file of readdirSync(folder).sort()) {
			if (file.startsWith(".")) continue;
			const template = readTemplate(folder, file);
			if (typeof template === "string") {
				addIssue({ message: `cannot be used: the file "${path.join(folder, file)}" ${template}.` });
				return NEVER;
			}
			const { name, part, text } = template;
			templates[name] = {
				...templates[name],
				[part]: text
			};
		}
	} catch (error) {
		addIssue({ message: `must be a folder of readable files, but "${folder}" is not: ${systemErrorMessage(error)}.` });
		return NEVER;
	}
	return templates;
}));
/** Returns what is wrong with the file as the end of a sentence. */
function readTemplate(folder, file) {
	const name = MAIL_NAMES.find((name) => PARTS.some((part) => file === name + FILE_ENDINGS[part]));
	const part = PARTS.find((part) => file === `${name}${FILE_ENDINGS[part]}`);
	if (name === void 0 || part === void 0) return `is not the text of an email: name it .subject.txt, .txt or .html after one of ${MAIL_NAMES.join(", ")}`;
	const bytes = readFileSync(path.join(folder, file));
	if (!isUtf8(bytes)) return "is not encoded in UTF-8";
	const written = bytes.toString().replace(/^\uFEFF/, "");
	const text = part === "subject" ? written.trim() : written;
	if (text.trim() === "") return "is empty";
	if (part === "subject" && /\p{Cc}/u.test(text)) return "must consist of one line";
	const found = [...text.matchAll(BRACES)];
	const unknown = found.find(([, placeholder]) => !PLACEHOLDERS.some((known) => known === placeholder));
	if (unknown) {
		const known = PLACEHOLDERS.map((placeholder) => `{{ .${placeholder} }}`).join(", ");
		return `contains the unknown placeholder ${unknown[0].slice(0, 100)}: use one of ${known}`;
	}
	const hasLink = found.some(([, placeholder]) => placeholder === "ConfirmationURL");
	if (part !== "subject" && NEEDS_LINK[name] && !hasLink) return "lacks {{ .ConfirmationURL }}, the link that its readers need";
	return {
		name,
		part,
		text
	};
}
// server/config/site-logo.ts
var MAX_LOGO_BYTES = 2e5;
var CONTENT_TYPES = {
	".svg": "image/svg+xml",
	".png": "image/png",
	".webp": "image/webp"
};
var siteLogo = /* @__PURE__ */ pipe(/* @__PURE__ */ string(), /* @__PURE__ */ rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
	const file = path.resolve(value);
	const contentType = CONTENT_TYPES[path.extname(file).toLowerCase()];
	const fail = (message) => {
		addIssue({ message });
		return NEVER;
	};
	if (contentType === void 0) return fail(`must be a file whose name ends in .svg, .png or .webp, not "${file}".`);
	try {
		const bytes = readFileSync(file);
		if (bytes.length === 0) return fail(`must be a picture, but "${file}" is empty.`);
		const address = `/logo-${hash("sha256", bytes, "base64url").slice(0, 8)}`;
		if (bytes.length <= MAX_LOGO_BYTES) return {
			address,
			bytes,
			contentType
		};
		return fail(`must be at most ${MAX_LOGO_BYTES / 1e3} kB in size, but "${file}" has ${Math.ceil(bytes.length / 1e3)} kB.`);
	} catch (error) {
		return fail(`cannot be read from "${file}": ${systemErrorMessage(error)}.`);
	}
}));
// server/config/variables.ts
var MIN_SECRET_BYTES = 32;
/**
* Example secrets from Supabase's CLI, its self-hosting guide and PostgREST's tutorial. They are rejected, because
* anyone could sign tokens with them.
*/
var KNOWN_SECRETS = [
	"super-secret-jwt-token-with-at-least-32-characters-long",
	"your-super-secret-jwt-token-with-at-least-32-characters-long",
	"reallyreallyreallyreallyverysafe"
];
/** `must` and all other messages here complete a sentence that starts with the variable's name (see settings.ts). */
var text = (test, must) => /* @__PURE__ */ pipe(/* @__PURE__ */ string(), /* @__PURE__ */ check(test, ({ input }) => `${must}, not "${input}".`));
var optional = (schema) => /* @__PURE__ */ optional$2(schema, void 0);
var protocolOf = (value) => URL.canParse(value) ? new URL(value).protocol : "";
var port = /* @__PURE__ */ pipe(text((value) => /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65535, "must be a whole number from 1 to 65535"), /* @__PURE__ */ transform(Number));
var host = text((value) => isIP(value) === 6 && !value.includes("%") || /^\w([\w.-]*\w)?$/.test(value) && URL.canParse(`http://${value}`), "must be an IP address or a host name");
var sender = text((value) => /^([^<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value), "must be an email address, or a name and an address such as Name <me@example.com>");
var webUrl = /* @__PURE__ */ pipe(text((value) => /^https?:$/.test(protocolOf(value)), "must be an http or https address"), /* @__PURE__ */ transform((value) => new URL(value).href));
/** Error messages omit the value, which may contain a password. */
var databaseUrl = /* @__PURE__ */ pipe(/* @__PURE__ */ string(), /* @__PURE__ */ transform((value) => value.replace(/^(\w+:\/\/(?:[^/@]*@)?)\//, "$1localhost/")), /* @__PURE__ */ check((value) => /^postgres(ql)?:$/.test(protocolOf(value)), "must be an address like postgres://user:password@host:5432/database."), /* @__PURE__ */ transform((address) => {
	const { searchParams } = new URL(address);
	return searchParams.has("sslmode") && !searchParams.has("uselibpqcompat") ? `${address}&uselibpqcompat=true` : address;
}));
var ORIGIN = /^https?:\/\/[^/?#]+$/i;
/** Origins such as `https://example.com`, separated by commas, or `*`. */
var origins = /* @__PURE__ */ pipe(/* @__PURE__ */ string(), /* @__PURE__ */ transform((list) => list.split(",").flatMap((item) => item.trim().replace(/\/$/, "") || [])), /* @__PURE__ */ check((list) => list.every((item) => item === "*" || ORIGIN.test(item) && URL.canParse(item)), "must be * or a comma-separated list of origins such as https://example.com, without a path."), /* @__PURE__ */ transform((list) => list.map((item) => item === "*" ? item : new URL(item).origin)));
var UNITS = {
	KB: 1024,
	MB: 1024 ** 2,
	GB: 1024 ** 3
};
/** Converts a size such as `200MB` to bytes. */
var size = /* @__PURE__ */ pipe(text((value) => /^\d{1,6}(KB|MB|GB)$/i.test(value), "must be a size like 200MB or 1GB"), /* @__PURE__ */ transform((value) => Number.parseInt(value, 10) * UNITS[value.slice(-2).toUpperCase()]));
var RATE = /^([1-9]\d{0,5})\/([1-9]\d{0,3})([mh])$/;
/** A limit such as `30/5m`: 30 times in 5 minutes. */
var rate = /* @__PURE__ */ pipe(text((value) => RATE.test(value), "must be a number and a period in minutes or hours, such as 30/5m"), /* @__PURE__ */ transform((value) => {
	const [, count, period, unit] = RATE.exec(value) ?? [];
	return {
		count: Number(count),
		minutes: Number(period) * (unit === "h" ? 60 : 1)
	};
}));
/** Supabase's secret keys start with `sb_secret_`. Older ones are JWTs with the role `service_role`. */
function isSecretKey(key) {
	const payload = Buffer.from(key.split(".")[1] ?? "", "base64url").toString();
	return key.startsWith("sb_secret_") || /"role"\s*:\s*"service_role"/.test(payload);
}
var variables = /* @__PURE__ */ object({
	PORT: /* @__PURE__ */ optional$2(port, "3000"),
	HOST: /* @__PURE__ */ optional$2(host, "127.0.0.1"),
	DATA_DIR: /* @__PURE__ */ optional$2(/* @__PURE__ */ string(), "data"),
	DATABASE_URL: optional(databaseUrl),
	SUPABASE_URL: optional(/* @__PURE__ */ pipe(webUrl, /* @__PURE__ */ regex(/^[^?#]*$/, "must be an address without ? or #."))),
	SUPABASE_PUBLISHABLE_KEY: optional(/* @__PURE__ */ pipe(/* @__PURE__ */ string(), /* @__PURE__ */ check((key) => !isSecretKey(key), "is a secret key, which every page would reveal: set the publishable (anon) key."))),
	SUPABASE_SECRET_KEY: optional(/* @__PURE__ */ string()),
	SEED: optional(/* @__PURE__ */ picklist(["demo", "none"], ({ input }) => `must be "demo" or "none", not "${input}".`)),
	SITE_NAME: /* @__PURE__ */ optional$2(/* @__PURE__ */ string(), "Techfolio"),
	SITE_DOMAIN: /* @__PURE__ */ optional$2(/* @__PURE__ */ pipe(text((value) => /^[a-z0-9.-]+$/i.test(value), "must be a host name or a part of one"), /* @__PURE__ */ toLowerCase()), "techfolio"),
	SITE_URL: optional(/* @__PURE__ */ pipe(webUrl, /* @__PURE__ */ check((value) => value === `${new URL(value).origin}/`, ({ input }) => `must have no path, such as https://example.com, but it is "${input}".`), /* @__PURE__ */ transform((value) => new URL(value).origin))),
	SITE_LOGO: optional(siteLogo),
	FOOTER_LINKS: /* @__PURE__ */ optional$2(footerLinks, ""),
	PICTURES_PER_MEMBER: /* @__PURE__ */ optional$2(size, "200MB"),
	AUTH_REDIRECT_URLS: /* @__PURE__ */ optional$2(/* @__PURE__ */ pipe(/* @__PURE__ */ string(), /* @__PURE__ */ transform((list) => list.split(",").flatMap((url) => url.trim() || [])), /* @__PURE__ */ array(webUrl)), ""),
	API_ORIGINS: /* @__PURE__ */ optional$2(origins, ""),
	AUTH_JWT_SECRET: optional(/* @__PURE__ */ pipe(/* @__PURE__ */ string(), /* @__PURE__ */ minBytes(MIN_SECRET_BYTES, `must be at least ${MIN_SECRET_BYTES} bytes long.`), /* @__PURE__ */ check((value) => !KNOWN_SECRETS.includes(value), "is an example from public documentation: create a secret of your own (openssl rand -base64 32)."))),
	AUTH_SIGN_INS_PER_ADDRESS: /* @__PURE__ */ optional$2(rate, "30/5m"),
	AUTH_SIGN_INS_PER_EMAIL: /* @__PURE__ */ optional$2(rate, "10/15m"),
	AUTH_MAILS_PER_ADDRESS: /* @__PURE__ */ optional$2(rate, "30/1h"),
	AUTH_MAILS_PER_ADDRESS_AND_EMAIL: /* @__PURE__ */ optional$2(rate, "5/1h"),
	AUTH_MAILS_PER_EMAIL: /* @__PURE__ */ optional$2(rate, "20/1h"),
	...singleSignOnVariables,
	OPERATORS_NEED_PASSKEY: /* @__PURE__ */ optional$2(/* @__PURE__ */ picklist(["on", "off"], ({ input }) => `must be "on" or "off", not "${input}".`), "off"),
	TRUST_PROXY: /* @__PURE__ */ optional$2(/* @__PURE__ */ pipe(text((value) => /^\d$/.test(value), "must be the number of proxies in front of this server, from 0 to 9"), /* @__PURE__ */ transform(Number)), "0"),
	LOG_FORMAT: optional(/* @__PURE__ */ picklist(["text", "json"], ({ input }) => `must be "text" or "json", not "${input}".`)),
	METRICS_TOKEN: optional(/* @__PURE__ */ pipe(/* @__PURE__ */ string(), /* @__PURE__ */ regex(/^[\w.~+/-]{16,}=*$/, "must be at least 16 characters long and consist of letters, digits, and the characters -._~+/ (with = at the end only)."))),
	SMTP_HOST: optional(host),
	SMTP_PORT: optional(port),
	SMTP_USER: optional(/* @__PURE__ */ string()),
	SMTP_PASSWORD: optional(/* @__PURE__ */ string()),
	SMTP_FROM: optional(sender),
	SMTP_SECURE: optional(/* @__PURE__ */ picklist(["true", "false"], ({ input }) => `must be "true" or "false", not "${input}".`)),
	SMTP_REQUIRE_TLS: optional(/* @__PURE__ */ picklist(["on", "off"], ({ input }) => `must be "on" or "off", not "${input}".`)),
	MAIL_TEMPLATES: optional(mailTemplates),
	REPORTS: /* @__PURE__ */ optional$2(/* @__PURE__ */ picklist(["on", "off"], ({ input }) => `must be "on" or "off", not "${input}".`), "off"),
	BACKUPS: /* @__PURE__ */ optional$2(/* @__PURE__ */ picklist(["command", "elsewhere"], ({ input }) => `must be "command" or "elsewhere", not "${input}".`), "command")
});
// server/config/settings-schema.ts
var REQUIRED_TOGETHER = [
	["SUPABASE_PUBLISHABLE_KEY", "SUPABASE_URL"],
	["SUPABASE_URL", "SUPABASE_PUBLISHABLE_KEY"],
	["SUPABASE_URL", "SUPABASE_SECRET_KEY"],
	["SMTP_FROM", "SMTP_HOST"],
	["SMTP_HOST", "SMTP_PORT"],
	["SMTP_HOST", "SMTP_USER"],
	["SMTP_HOST", "SMTP_PASSWORD"],
	["SMTP_HOST", "SMTP_FROM"],
	["SMTP_USER", "SMTP_PASSWORD"],
	["SMTP_HOST", "SMTP_SECURE"],
	["SMTP_HOST", "SMTP_REQUIRE_TLS"]
];
var settingsSchema = /* @__PURE__ */ pipe(variables, /* @__PURE__ */ rawCheck(({ dataset, addIssue }) => {
	const message = dataset.typed ? conflict(dataset.value) : void 0;
	if (message !== void 0) addIssue({ message });
}), /* @__PURE__ */ transform((values) => ({
	port: values.PORT,
	host: values.HOST,
	dataDir: path.resolve(values.DATA_DIR),
	databaseUrl: values.DATABASE_URL,
	supabase: supabaseProject(values),
	/** Undefined means `demo` for a new embedded database, and otherwise `none`. */
	seed: values.SEED,
	siteName: values.SITE_NAME,
	siteDomain: values.SITE_DOMAIN,
	/** The origin of canonical addresses and, by default, of links in emails. Has no trailing slash. */
	siteUrl: siteUrl(values),
	siteLogo: values.SITE_LOGO,
	footerLinks: values.FOOTER_LINKS,
	/** How many bytes of pictures each member may store. Has no effect on a Supabase project. */
	picturesPerMember: values.PICTURES_PER_MEMBER,
	redirectUrls: values.AUTH_REDIRECT_URLS,
	/** The origins of pages that may use the API in a browser. `*` allows all. */
	apiOrigins: values.API_ORIGINS,
	authJwtSecret: values.AUTH_JWT_SECRET,
	authLimits: {
		signInsPerAddress: values.AUTH_SIGN_INS_PER_ADDRESS,
		signInsPerEmail: values.AUTH_SIGN_INS_PER_EMAIL,
		mailsPerAddress: values.AUTH_MAILS_PER_ADDRESS,
		mailsPerAddressAndEmail: values.AUTH_MAILS_PER_ADDRESS_AND_EMAIL,
		mailsPerEmail: values.AUTH_MAILS_PER_EMAIL
	},
	/** Undefined unless the operator has configured a provider. */
	singleSignOn: singleSignOn(values),
	/** False if members can sign in only at the provider. */
	passwordSignIn: values.PASSWORD_SIGN_IN === "on",
	/** Whether `/admin` accepts only sessions that began with a passkey. */
	operatorsNeedPasskey: values.OPERATORS_NEED_PASSKEY === "on",
	trustedProxies: values.TRUST_PROXY,
	/** Undefined means `text` at a terminal, and otherwise `json`. */
	logFormat: values.LOG_FORMAT,
	metricsToken: values.METRICS_TOKEN,
	smtp: mailServer(values),
	/** The texts of emails that replace the site's own. */
	mailTemplates: values.MAIL_TEMPLATES,
	/** Whether readers can report items and people. */
	acceptsReports: values.REPORTS === "on",
	/** True if another program makes the backups. Then `doctor` and the alerts don't expect those of `backup`. */
	hasBackupsElsewhere: values.BACKUPS === "elsewhere"
})));
function conflict(values) {
	const incomplete = REQUIRED_TOGETHER.find(([missing, present]) => values[present] && !values[missing]);
	if (incomplete !== void 0) return `${incomplete[0]} must be set together with ${incomplete[1]}.`;
	const signOnConflict = singleSignOnConflict(values);
	if (signOnConflict !== void 0) return signOnConflict;
	if (values.OPERATORS_NEED_PASSKEY === "on") {
		if (values.PASSWORD_SIGN_IN === "off") return "OPERATORS_NEED_PASSKEY=on cannot be used with PASSWORD_SIGN_IN=off, which disables passkeys: unset one of them.";
		if (!hasDomain(siteUrl(values))) return "OPERATORS_NEED_PASSKEY=on needs a SITE_URL with a domain name or localhost, because passkeys cannot belong to an IP address.";
	}
	if (values.SUPABASE_URL === void 0) return void 0;
	if (values.DATABASE_URL !== void 0) return "DATABASE_URL and SUPABASE_URL cannot both be set: unset one of them.";
	if (values.REPORTS === "on" && values.SUPABASE_SECRET_KEY === void 0) return "REPORTS=on needs SUPABASE_SECRET_KEY, because only the secret key can store reports: set it to the project's secret key.";
	if (values.SEED === "demo") return "SEED=demo cannot be used with SUPABASE_URL: unset one of them.";
}
function siteUrl({ SITE_URL, HOST, PORT }) {
	return SITE_URL ?? origin(HOST, PORT);
}
function supabaseProject({ SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: key, ...values }) {
	if (url === void 0 || key === void 0) return void 0;
	return {
		url: url.replace(/\/+$/, ""),
		publishableKey: key,
		secretKey: values.SUPABASE_SECRET_KEY
	};
}
function mailServer(values) {
	const { SMTP_HOST: host, SMTP_FROM: from, SMTP_PORT: port = 587 } = values;
	if (host === void 0 || from === void 0) return void 0;
	const secure = values.SMTP_SECURE === void 0 ? port === 465 : values.SMTP_SECURE === "true";
	const { SMTP_USER: user, SMTP_PASSWORD: password, SMTP_REQUIRE_TLS: choice } = values;
	return {
		host,
		port,
		from,
		secure,
		requireTLS: choice === void 0 ? user !== void 0 && !isThisMachine(host) : choice === "on",
		user,
		password
	};
}
function isThisMachine(host) {
	return host === "localhost" || host === "::1" || /^127\.[\d.]+$/.test(host);
}
/** The origin at which a browser on this machine reaches a server that listens on `host` and `port`. */
function origin(host, port) {
	const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
	return new URL(`http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`).origin;
}
// server/config/settings.ts
/** Returns the environment variables, with defaults from `.env` in the working directory. Throws OperatorError. */
function readEnvironment() {
	return {
		...readSettingsFile(),
		...process.env
	};
}
/** Returns the variables in `.env`. Throws OperatorError. */
function readSettingsFile() {
	const file = path.resolve(".env");
	try {
		const written = existsSync(file) ? readFileSync(file, "utf8") : "";
		return parseEnv(written.replace(/^\uFEFF/, ""));
	} catch (error) {
		throw new OperatorError(`The settings in ${file} cannot be read: ${systemErrorMessage(error)}.`);
	}
}
/** Converts environment variables to settings. Throws an OperatorError that names the first invalid variable. */
function readSettings(environment) {
	const assigned = Object.entries(environment).filter(([, value]) => value?.trim());
	const { success, output, issues } = /* @__PURE__ */ safeParse(settingsSchema, Object.fromEntries(assigned.map(([name, value]) => [name, value?.trim()])), { abortEarly: true });
	if (success) return output;
	const [{ path: at, message }] = issues;
	throw new OperatorError(at === void 0 ? message : `${String(at[0].key)} ${message}`);
}
// server/cli/check-settings.ts
/** Returns a sentence about the first invalid setting, or undefined. */
function findInvalidSetting() {
	try {
		readSettings(readEnvironment());
		return;
	} catch (error) {
		if (error instanceof OperatorError) return error.message;
		throw error;
	}
}
export { findInvalidSetting };
