/** The text before, inside and after `<name>…</name>`; without the tag all text is in `before`. */
export function splitTag(text: string, name: string): [before: string, inside: string, after: string] {
  const [before = '', rest = ''] = text.split(`<${name}>`, 2)
  const [inside = '', after = ''] = rest.split(`</${name}>`, 2)
  return [before, inside, after]
}
