// The only place that makes elements. Data becomes text, never markup.

export const by = (id) => document.getElementById(id);

// el("a", { class: "x", href: "#", onclick: f }, "text", child, …)
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      node.addEventListener(name.slice(2), value);
    } else {
      attribute(node, name, value);
    }
  }
  node.append(...children.filter((child) => child !== undefined && child !== ""));
  return node;
}

// false and undefined take it away.
export function attribute(node, name, value) {
  if (value === undefined || value === false) {
    node.removeAttribute(name);
  } else {
    const text = value === true ? "" : String(value);
    if (node.getAttribute(name) !== text) {
      node.setAttribute(name, text);
    }
  }
}

// Left alone when nothing changed, so that what a person has selected stays selected.
export function text(node, value) {
  const wanted = value === undefined ? "" : String(value);
  if (node.textContent !== wanted) {
    node.textContent = wanted;
  }
}

export function note(node, value) {
  text(node, value);
  node.hidden = !value;
}

export function chip(node, value, tone) {
  text(node, value);
  attribute(node, "class", value ? `chip ${tone}` : undefined);
}

// max 0 is nothing that can be filled, so it is full as soon as anything is there.
export function bar(node, value, max) {
  node.hidden = value === undefined;
  if (value !== undefined) {
    attribute(node, "max", Math.max(max, 1));
    attribute(node, "value", max === 0 ? Math.min(value, 1) : value);
  }
}

// Rows keep their elements from one look to the next: whoever has the focus in one of them keeps it.
export function keyed(parent, items, key, make, update) {
  const there = new Map([...parent.children].map((node) => [node.dataset.key, node]));
  const wanted = new Set(items.map(key));
  for (const [name, node] of there) {
    if (!wanted.has(name)) {
      node.remove();
    }
  }
  let next = parent.firstElementChild;
  for (const item of items) {
    let node = there.get(key(item));
    if (node === undefined) {
      node = make(item);
      node.dataset.key = key(item);
    }
    if (node === next) {
      next = next.nextElementSibling;
    } else {
      parent.insertBefore(node, next);
    }
    update(node, item);
  }
}
