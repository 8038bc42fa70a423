// Writes the icons of the installed app from public/icon.svg. They are committed, so a build needs neither this script
// nor the image library.
import { mkdirSync, readFileSync } from 'node:fs'
import sharp from 'sharp'

const at = (path) => new URL(`../public/${path}`, import.meta.url).pathname
const source = readFileSync(at('icon.svg'), 'utf8')
/** Full-bleed, for devices that mask icons: the logo is inside the safe zone that every mask leaves visible. */
const maskable = source.replace(/ rx="\d+"/, '')

mkdirSync(at('icons'), { recursive: true })
for (const [name, svg, size] of [
  ['icon-192', source, 192],
  ['icon-512', source, 512],
  ['maskable-192', maskable, 192],
  ['maskable-512', maskable, 512],
  ['apple-touch-icon', maskable, 180],
]) {
  await sharp(Buffer.from(svg), { density: (72 * size) / 48 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true })
    .toFile(at(`icons/${name}.png`))
}
