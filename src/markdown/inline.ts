/** A stretch of a paragraph. Raw HTML has no part in it: it is text like any other. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'emphasis'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] }
  | { kind: 'break' }

type Rule = { pattern: RegExp; read: (match: RegExpExecArray, depth: number) => Inline[] }

/** Deeper nesting than any article needs is left as text. */
const depthMax = 6

/** Tried in this order at each place; each pattern is sticky. */
const rules: readonly Rule[] = [
  { pattern: /\\([!-/:-@[-`{-~])/y, read: ([, sign = '']) => [{ kind: 'text', text: sign }] },
  { pattern: /(?: {2,}|\\)\n[ \t]*/y, read: () => [{ kind: 'break' }] },
  {
    pattern: /(`+)(?!`)([\s\S]*?[^`])\1(?!`)/y,
    read: ([, , text = '']) => [{ kind: 'code', text: text.replace(/\n/g, ' ') }],
  },
  {
    // A picture shows its words: other sites' pictures are not loaded.
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
    pattern: /(\*\*|(?<!\w)__)(?=\S)([\s\S]*?[^\s\\])\1(?![*_])/y,
    read: ([, , words = ''], depth) => [{ kind: 'strong', children: parseInline(words, depth + 1) }],
  },
  {
    pattern: /(\*|(?<!\w)_)(?=[^\s*_])([\s\S]*?[^\s\\*_])\1(?![*\w])/y,
    read: ([, , words = ''], depth) => [{ kind: 'emphasis', children: parseInline(words, depth + 1) }],
  },
]

/** Reads the text of a paragraph or heading. */
export function parseInline(source: string, depth = 0): Inline[] {
  if (depth > depthMax) return [{ kind: 'text', text: source }]
  const found: Inline[] = []
  let at = 0
  while (at < source.length) {
    const hit = ruleAt(source, at)
    if (hit) {
      for (const inline of hit.rule.read(hit.match, depth)) add(found, inline)
      at += hit.match[0].length
    } else {
      add(found, { kind: 'text', text: source.charAt(at) })
      at += 1
    }
  }
  return found
}

/** Where any rule may begin; everywhere else is text without a second look. */
const signs = new Set(['\\', ' ', '`', '!', '[', '<', '*', '_'])

function ruleAt(source: string, at: number): { rule: Rule; match: RegExpExecArray } | undefined {
  if (!signs.has(source.charAt(at))) return undefined
  for (const rule of rules) {
    rule.pattern.lastIndex = at
    const match = rule.pattern.exec(source)
    if (match) return { rule, match }
  }
  return undefined
}

/** Neighbouring text is one piece. */
function add(to: Inline[], inline: Inline): void {
  const last = to.at(-1)
  if (last?.kind === 'text' && inline.kind === 'text') last.text += inline.text
  else to.push(inline)
}

/** An address that a link may lead to: a site, or a page of this app. Anything else is no link. */
export function safeHref(address: string): string | undefined {
  if (/^#\/[\w/?=&.%-]*$/.test(address)) return address
  try {
    const { protocol, href } = new URL(address)
    return protocol === 'https:' || protocol === 'http:' ? href : undefined
  } catch {
    return undefined
  }
}
