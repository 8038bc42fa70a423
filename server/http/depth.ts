/** Whether the lists and objects of a JSON text lie within each other more than `max` deep. Reads it once, parses nothing. */
export function isDeeper(json: string, max: number): boolean {
  let depth = 0
  let quoted = false
  for (let i = 0; i < json.length; i++) {
    const sign = json[i]
    if (quoted) {
      if (sign === '\\') i += 1
      else if (sign === '"') quoted = false
    } else if (sign === '"') quoted = true
    else if (sign === '{' || sign === '[') {
      depth += 1
      if (depth > max) return true
    } else if (sign === '}' || sign === ']') depth -= 1
  }
  return false
}
