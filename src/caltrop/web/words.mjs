/**
 * Sentences of the page, collected from its sources: the keys of its translations. `node words.mjs` writes them as JSON,
 * a list of [text, file, line].
 *
 * A run of text and `{values}` in markup is one text node of the document, and so one sentence, with named values as the
 * rules' own sentences have them (`caltrop/lab/sentences.py`): `Waiting for {waiting}`, `{units} can act`.
 */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { parse } from "svelte/compiler";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "src");
/** Attributes that are read out or shown. */
const SHOWN = new Set(["aria-label", "aria-roledescription", "aria-valuetext", "title", "placeholder", "alt"]);
/** Attributes of elements whose text is for programs. */
const CODE_CALLS = new Set(
    "addEventListener removeEventListener querySelector querySelectorAll closest matches getItem setItem removeItem getElementById dispatchEvent split startsWith endsWith includes replace replaceAll match test fetch call post get has delete append createElement createElementNS setAttribute getAttribute removeAttribute setProperty getPropertyValue emit on matchMedia getContext RegExp URL indexOf localeCompare go follow keep kept subscribe describe it MediaQuery tellTable".split(
        " ",
    ),
);
const COMPARED = new Set(["===", "!==", "==", "!=", "in", "<", ">"]);
/** Functions that write a number with its noun, the second argument. */
const NUMBERED = new Set(["plural"]);
const HOLE = /\{([^{}]*)\}/g;

/** The text without the signs and blanks at its ends, which stand between the parts of a sentence. */
export const trimmed = (text) => text.replace(/\s+/g, " ").replace(/^[ ,;:.()]+|[ ,;:.()]+$/g, "");

/**
 * Whether a text is written for people: words, and no name of a class, path, or key. A single word in small letters is a
 * text only if it is known to be shown.
 */
export function isForPeople(text, shown = false) {
    const noun = /^\{[^{}]+\|[^{}]+\}$/.test(text);
    const literal = noun ? text : text.replace(HOLE, " ");
    if (
        !/[A-Za-z]{2}/.test(literal) ||
        /[_/\\<>=[\]#]|\w\.\w|--|^-|px\b|translate\(|\bM-?\d/.test(text.replace(/\{\w[^{}]*\}/g, " ")) ||
        /^\S*\w\.\w\S*$/.test(text.replace(HOLE, "x")) ||
        /[?-]\{|\}-|^\w+\?\S/.test(text)
    )
        return false;
    return noun || shown || literal.trim().includes(" ") || /^[A-Z][a-z]/.test(literal.trim()) || text.includes("{");
}

function sources(folder) {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return ["languages", "wire"].includes(entry.name) ? [] : sources(path);
        return /\.svelte$|(?<!\.test)(?<!\.d)\.ts$/.test(entry.name) ? [path] : [];
    });
}

/** What a value is called: the last name of the expression that gives it. */
function called(node) {
    switch (node?.type) {
        case "Identifier":
            return node.name;
        case "MemberExpression":
            return node.computed ? called(node.object) : called(node.property);
        case "CallExpression":
            return called(node.callee);
        case "ChainExpression":
        case "TSNonNullExpression":
        case "TSAsExpression":
            return called(node.expression);
        default:
            return "value";
    }
}

const nounText = (node) =>
    node?.type === "CallExpression" && NUMBERED.has(called(node)) && node.arguments[1]?.type === "Literal"
        ? node.arguments.slice(1).map((one) => one.value)
        : null;
const severalOf = (noun, several) =>
    several ??
    (/(s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`);

class Reader {
    texts = [];
    names = {};

    once(name) {
        const count = (this.names[name] = (this.names[name] ?? 0) + 1);
        return count === 1 ? name : `${name} ${count}`;
    }

    /** A value of a template, in braces. */
    hole(node) {
        const noun = nounText(node);
        if (noun) return `{${this.once(severalOf(...noun))}}`;
        return `{${this.once(called(node))}}`;
    }

    add(text, at, shown = false) {
        const bare = trimmed(text);
        if (isForPeople(bare, shown)) this.texts.push([bare, at]);
    }

    template(parts, at, shown = false) {
        this.names = {};
        this.add(parts.map((part) => (typeof part === "string" ? part : this.hole(part))).join(""), at, shown);
    }

    /** A value that is shown as it is: its texts may be single words. */
    value(node) {
        if (node.type === "ConditionalExpression")
            return [node.consequent, node.alternate].forEach((one) => this.value(one));
        if (node.type === "LogicalExpression") return this.value(node.right);
        if (node.type === "Literal" && typeof node.value === "string") this.add(node.value, node.start, true);
    }

    /** Markup: runs of text and values, attributes that are shown, and what stands in expressions. */
    markup(node) {
        if (node === null || typeof node !== "object") return;
        if (Array.isArray(node)) return node.forEach((one) => this.markup(one));
        if (node.type === "Fragment") {
            let run = [];
            const ended = () => {
                const first = run.find((one) => one.type !== "Comment");
                if (first && run.some((one) => one.type === "Text" && /[A-Za-z]/.test(one.data)))
                    this.template(
                        run.map((one) => (one.type === "Text" ? one.data : one.expression)),
                        first.start,
                        true,
                    );
                run = [];
            };
            for (const child of node.nodes) {
                if (child.type === "Text" || child.type === "ExpressionTag") run.push(child);
                else if (child.type !== "Comment") ended();
                if (child.type === "ExpressionTag") {
                    this.value(child.expression);
                    this.code(child.expression);
                } else if (child.type !== "Text") this.markup(child);
            }
            return ended();
        }
        if (node.type === "StyleSheet" || node.type === "Comment") return;
        if (node.type === "Script") return this.code(node.content);
        if (node.type === "Attribute") return this.attribute(node);
        if (node.type === "OnDirective" || node.type === "StyleDirective") return;
        for (const [key, value] of Object.entries(node)) {
            if (value === null || typeof value !== "object" || key === "metadata") continue;
            if (["expression", "test", "key", "context", "declaration", "parameters"].includes(key)) this.code(value);
            else this.markup(value);
        }
    }

    attribute(node) {
        if (node.value === true) return;
        const parts = Array.isArray(node.value) ? node.value : [node.value];
        const forPrograms =
            [
                "class",
                "style",
                "id",
                "for",
                "href",
                "src",
                "d",
                "points",
                "transform",
                "viewBox",
                "type",
                "name",
                "role",
                "fill",
                "stroke",
                "pattern",
                "preserveAspectRatio",
                "rel",
            ].includes(node.name) ||
            node.name.startsWith("data-") ||
            (node.name.startsWith("aria-") && !SHOWN.has(node.name));
        if (forPrograms) return;
        if (parts.some((part) => part.type === "Text"))
            this.template(
                parts.map((part) => (part.type === "Text" ? part.data : part.expression)),
                node.start,
                SHOWN.has(node.name),
            );
        for (const part of parts) if (part.type === "ExpressionTag") this.code(part.expression);
    }

    /** The text of an error. Errors for people begin with a capital letter, those for programmers do not. */
    error(node) {
        if (node?.type !== "Literal" || /^[A-Z]/.test(node.value)) this.code(node ?? null);
    }

    code(node) {
        if (node === null || typeof node !== "object") return;
        if (Array.isArray(node)) return node.forEach((one) => this.code(one));
        const type = node.type ?? "";
        if (
            type === "ImportDeclaration" ||
            type.startsWith("TSType") ||
            type.startsWith("TSInterface") ||
            type === "TSLiteralType" ||
            type === "TSUnionType"
        )
            return;
        if (type === "BinaryExpression" && COMPARED.has(node.operator)) return;
        if (type === "SwitchCase") return this.code(node.consequent);
        if (type === "Property")
            return void (node.computed ? this.code([node.key, node.value]) : this.code(node.value));
        if (type === "TemplateLiteral") {
            this.template(
                node.quasis.flatMap((quasi, i) => [
                    quasi.value.cooked ?? "",
                    ...(i < node.expressions.length ? [node.expressions[i]] : []),
                ]),
                node.start,
            );
            return this.code(node.expressions);
        }
        if (type === "Literal" && typeof node.value === "string") return this.add(node.value, node.start);
        if (type === "CallExpression" || type === "NewExpression") {
            const noun = nounText(node);
            if (noun) this.add(`{${noun[0]}|${severalOf(...noun)}}`, node.start);
            if (called(node.callee) === "Error") return this.error(node.arguments[0]);
            if (called(node.callee) === "join" && node.arguments[0]?.type === "Literal")
                return void (this.add(node.arguments[0].value, node.start, true), this.code(node.callee));
            this.code(node.callee);
            if (!CODE_CALLS.has(called(node.callee))) this.code(noun ? node.arguments[0] : node.arguments);
            return;
        }
        if (type === "MemberExpression") return this.code(node.object);
        for (const [key, value] of Object.entries(node))
            if (
                value !== null &&
                typeof value === "object" &&
                ![
                    "loc",
                    "leadingComments",
                    "trailingComments",
                    "typeAnnotation",
                    "typeParameters",
                    "typeArguments",
                    "returnType",
                ].includes(key)
            )
                this.code(value);
    }
}

/** All sentences of the page: [text, file, line], each text once. */
export function sentences() {
    const texts = new Map();
    for (const file of sources(ROOT).sort()) {
        const written = readFileSync(file, "utf8");
        const source = file.endsWith(".ts") ? `<script lang="ts">${written}</script>` : written;
        const ast = parse(source, { modern: true });
        const reader = new Reader();
        for (const part of [ast.module, ast.instance, ast.fragment]) if (part) reader.markup(part);
        for (const [text, at] of reader.texts)
            if (!texts.has(text)) texts.set(text, [text, relative(ROOT, file), source.slice(0, at).split("\n").length]);
    }
    return [...texts.values()];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(sentences()));
