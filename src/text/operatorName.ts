/** The placeholder for the operator's name in the texts; `server/platform/settings.ts` has the same. */
const builtInName = 'Uptick'

/** A pack of texts in the operator's name, which the page carries. */
export function inOperatorsName<T>(pack: T): T {
  const name = document.documentElement.dataset['name']
  if (name === undefined || name === builtInName) return pack
  const own = JSON.stringify(name).slice(1, -1)
  return JSON.parse(JSON.stringify(pack).replaceAll(builtInName, () => own)) as T
}
