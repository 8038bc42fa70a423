/** Whether lists and objects of a JSON text are nested more than `max` deep. Scans the text once without parsing it. */
export function exceedsDepth(json: string, max: number): boolean {
  let depth = 0
  let quoted = false
  for (let i = 0; i < json.length; i++) {
    const char = json[i]
    if (quoted) {
      if (char === '\\') i += 1
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{' || char === '[') {
      depth += 1
      if (depth > max) return true
    } else if (char === '}' || char === ']') depth -= 1
  }
  return false
}
