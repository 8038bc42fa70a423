// Writes the pictures by which a device shows the installed app, from public/icon.svg. They are committed: a build needs
// neither this script nor the picture library.
import { mkdirSync, readFileSync } from 'node:fs'
import sharp from 'sharp'

const at = (path) => new URL(`../public/${path}`, import.meta.url).pathname
const drawn = readFileSync(at('icon.svg'), 'utf8')
/** To the edges, for devices that cut their own shape out of it: the sign lies inside the circle that all of them keep. */
const full = drawn.replace(/ rx="\d+"/, '')

mkdirSync(at('icons'), { recursive: true })
for (const [name, svg, size] of [
  ['icon-192', drawn, 192],
  ['icon-512', drawn, 512],
  ['maskable-192', full, 192],
  ['maskable-512', full, 512],
  ['apple-touch-icon', full, 180],
]) {
  await sharp(Buffer.from(svg), { density: (72 * size) / 48 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true })
    .toFile(at(`icons/${name}.png`))
}
