import { escapeXml } from "../../format/xml.ts";

const htmlNamespace = "http://www.w3.org/1999/xhtml";

/** Text without characters to escape, which nearly every attribute is. */
const plain = /^[\w .,:;()%#+/–-]*$/;
const escaped = (text: string): string => (plain.test(text) ? text : escapeXml(text));

type SvgChild = SvgElement | SvgText;

class SvgText {
  parentNode: SvgElement | null = null;
  readonly data: string;

  constructor(data: string) {
    this.data = data;
  }

  get outerHTML(): string {
    return escaped(this.data);
  }
}

/** The part of an element that Plot and d3-selection use. */
class SvgElement {
  readonly ownerDocument: SvgDocument;
  readonly namespaceURI: string;
  readonly localName: string;
  readonly childNodes: SvgChild[] = [];
  parentNode: SvgElement | null = null;
  readonly #attributes = new Map<string, string>();

  constructor(ownerDocument: SvgDocument, namespaceURI: string, localName: string) {
    this.ownerDocument = ownerDocument;
    this.namespaceURI = namespaceURI;
    this.localName = localName;
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null;
  }

  hasAttribute(name: string): boolean {
    return this.#attributes.has(name);
  }

  setAttribute(name: string, value: unknown): void {
    this.#attributes.set(name, `${value}`);
  }

  setAttributeNS(_namespace: string | null, name: string, value: unknown): void {
    this.setAttribute(name, value);
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name);
  }

  get children(): SvgElement[] {
    return this.childNodes.filter((child) => child instanceof SvgElement);
  }

  get firstChild(): SvgChild | null {
    return this.childNodes[0] ?? null;
  }

  appendChild<Child extends SvgChild>(child: Child): Child {
    return this.insertBefore(child, null);
  }

  insertBefore<Child extends SvgChild>(child: Child, next: SvgChild | null): Child {
    child.parentNode?.removeChild(child);
    child.parentNode = this;
    if (next === null) this.childNodes.push(child);
    else this.childNodes.splice(this.childNodes.indexOf(next), 0, child);
    return child;
  }

  removeChild(child: SvgChild): void {
    this.childNodes.splice(this.childNodes.indexOf(child), 1);
    child.parentNode = null;
  }

  remove(): void {
    this.parentNode?.removeChild(this);
  }

  set textContent(text: string) {
    this.childNodes.length = 0;
    this.appendChild(new SvgText(`${text}`));
  }

  /** The first descendant with that name; other selectors are not supported. */
  querySelector(name: string): SvgElement | null {
    for (const child of this.children) {
      const found = child.localName === name ? child : child.querySelector(name);
      if (found !== null) return found;
    }
    return null;
  }

  get outerHTML(): string {
    let html = `<${this.localName}`;
    for (const [name, value] of this.#attributes) html += ` ${name}="${escaped(value)}"`;
    html += ">";
    for (const child of this.childNodes) html += child.outerHTML;
    return `${html}</${this.localName}>`;
  }
}

/**
 * The part of a DOM document that plots need without a browser. A plot takes half the time that it takes with a full
 * DOM library, and a site's reports have thousands of plots. Missing parts (styles, events, selectors) throw.
 */
class SvgDocument {
  readonly documentElement = new SvgElement(this, htmlNamespace, "html");

  createElementNS(namespace: string, name: string): SvgElement {
    return new SvgElement(this, namespace, name);
  }

  createTextNode(text: string): SvgText {
    return new SvgText(text);
  }
}

export const svgDocument = new SvgDocument() as unknown as Document;
