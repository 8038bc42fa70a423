/** A part of a paragraph. Raw HTML is plain text. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'emphasis'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] }
  | { kind: 'break' }

type Rule = { pattern: RegExp; read: (match: RegExpExecArray, depth: number) => Inline[] }

/** Deeper nesting is left as text. */
const depthMax = 6

/** Tried in this order at each position; each pattern is sticky. */
const rules: readonly Rule[] = [
  { pattern: /\\([!-/:-@[-`{-~])/y, read: ([, sign = '']) => [{ kind: 'text', text: sign }] },
  { pattern: /(?: {2,}|\\)\n[ \t]*/y, read: () => [{ kind: 'break' }] },
  {
    pattern: /(`+)(?!`)([\s\S]*?[^`])\1(?!`)/y,
    read: ([, , text = '']) => [{ kind: 'code', text: text.replace(/\n/g, ' ') }],
  },
  {
    // An image is replaced by its alternative text: images of other sites are not loaded.
    pattern:
      /(!?)\[((?:[^[\]\\]|\\[\s\S])*)\]\(\s*([^\s<>()]*(?:\([^\s()]*\)[^\s<>()]*)*)(?:\s+"[^"\n]*")?\s*\)/y,
    read: ([, picture, words = '', address = ''], depth) => {
      const children = parseInline(words, depth + 1)
      const href = picture === '' ? safeHref(address) : undefined
      return href === undefined ? children : [{ kind: 'link', href, children }]
    },
  },
  {
    pattern: /<(https?:\/\/[^\s<>]+)>/y,
    read: ([, address = '']) => {
      const children: Inline[] = [{ kind: 'text', text: address }]
      const href = safeHref(address)
      return href === undefined ? children : [{ kind: 'link', href, children }]
    },
  },
  {
    pattern: /(\*\*|__)(?=\S)([\s\S]*?[^\s\\])\1(?![*_])/y,
    read: ([, , words = ''], depth) => [{ kind: 'strong', children: parseInline(words, depth + 1) }],
  },
  {
    pattern: /(\*|_)(?=[^\s*_])([\s\S]*?[^\s\\*_])\1(?![*\w])/y,
    read: ([, , words = ''], depth) => [{ kind: 'emphasis', children: parseInline(words, depth + 1) }],
  },
]

/** Parses the text of a paragraph or heading. */
export function parseInline(source: string, depth = 0): Inline[] {
  if (depth > depthMax) return [{ kind: 'text', text: source }]
  const inlines: Inline[] = []
  let at = 0
  while (at < source.length) {
    const hit = ruleAt(source, at)
    if (hit) {
      for (const inline of hit.rule.read(hit.match, depth)) append(inlines, inline)
      at += hit.match[0].length
    } else {
      append(inlines, { kind: 'text', text: source.charAt(at) })
      at += 1
    }
  }
  return inlines
}

/** Characters with which a rule may begin; all others are text. */
const ruleStarts = new Set(['\\', ' ', '`', '!', '[', '<', '*', '_'])

function ruleAt(source: string, at: number): { rule: Rule; match: RegExpExecArray } | undefined {
  if (!ruleStarts.has(source.charAt(at))) return undefined
  // An underscore inside a word is text.
  if (source.charAt(at) === '_' && /\w/.test(source.charAt(at - 1))) return undefined
  for (const rule of rules) {
    rule.pattern.lastIndex = at
    const match = rule.pattern.exec(source)
    if (match) return { rule, match }
  }
  return undefined
}

/** Merges adjacent text. */
function append(to: Inline[], inline: Inline): void {
  const last = to.at(-1)
  if (last?.kind === 'text' && inline.kind === 'text') last.text += inline.text
  else to.push(inline)
}

/** The address if a link may lead to it: a website, or a page of this app. */
export function safeHref(address: string): string | undefined {
  if (/^#\/[\w/?=&.%-]*$/.test(address)) return address
  try {
    const { protocol, href } = new URL(address)
    return protocol === 'https:' || protocol === 'http:' ? href : undefined
  } catch {
    return undefined
  }
}
