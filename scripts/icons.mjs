// Writes src/ui/icons.svg, the one sprite of the client, from the names in src/ui/iconNames.ts.
// The output is committed: building the client needs neither this script nor the icon package, which is not installed.
// Run: npm install --no-save @phosphor-icons/core@2.1.1 && node scripts/icons.mjs
import { readFileSync, writeFileSync } from 'node:fs'

const weights = ['thin', 'light', 'bold', 'fill', 'duotone']
const at = (path) => new URL(`../${path}`, import.meta.url)

const names = [...readFileSync(at('src/ui/iconNames.ts'), 'utf8').matchAll(/^ {2}'([a-z-]+)',$/gm)].map(
  (match) => match[1],
)

/** One `<symbol>` per name. Its fill comes from the `<use>` that shows it. */
function symbol(name) {
  const weight = weights.find((suffix) => name.endsWith(`-${suffix}`)) ?? 'regular'
  const source = readFileSync(at(`node_modules/@phosphor-icons/core/assets/${weight}/${name}.svg`), 'utf8')
  const shapes = source.replace(/^<svg[^>]*>/, '').replace(/<\/svg>\s*$/, '')
  return `<symbol id="${name}" viewBox="0 0 256 256">${shapes}</symbol>`
}

const notice =
  '<!-- Phosphor Icons, MIT licence, copyright (c) 2023 Phosphor Icons. Made by scripts/icons.mjs. -->'
writeFileSync(
  at('src/ui/icons.svg'),
  `<svg xmlns="http://www.w3.org/2000/svg">\n${notice}\n${names.map(symbol).join('\n')}\n</svg>\n`,
)
