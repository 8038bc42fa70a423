import sharp from 'sharp'
import { renderCaptcha } from '../../../server/members/accounts/captchaImage.ts'
import { systemRandom } from '../../../server/platform/random.ts'
import type { Findings } from '../findings.ts'

const digits = 4
/** Pixels of a picture after it was made smaller: what noise and wave move is less than one. */
const size = { width: 64, height: 24 } as const
const cellWidth = size.width / digits
/** A guesser without any reader is right once in 10,000. */
const readMaxShare = 0.05

type Cell = readonly number[]

async function cellsOf(text: string): Promise<Cell[]> {
  const svg = await renderCaptcha(text, systemRandom)
  const png = /base64,([^"']+)/.exec(svg)?.[1]
  if (png === undefined) throw new Error('a captcha without a picture')
  const picture = sharp(Buffer.from(png, 'base64'))
    .greyscale()
    .blur(1)
    .resize(size.width, size.height, { fit: 'fill' })
  const pixels = await picture.raw().toBuffer()
  return Array.from({ length: digits }, (_, cell) =>
    Array.from({ length: cellWidth * size.height }, (_, i) => {
      const x = cell * cellWidth + (i % cellWidth)
      return pixels[Math.floor(i / cellWidth) * size.width + x] ?? 0
    }),
  )
}

const distance = (a: Cell, b: Cell): number =>
  a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0)

/** A reader learns how each digit looks on average from captchas with known answers, and reads others. */
export async function readCaptchas(
  count: number,
  random: () => number,
): Promise<Findings & { note: string }> {
  const text = (): string => Array.from({ length: digits }, () => Math.floor(random() * 10)).join('')
  const sums = Array.from({ length: 10 }, () => ({
    seen: 0,
    cell: Array<number>(cellWidth * size.height).fill(0),
  }))
  for (let i = 0; i < count; i++) {
    const known = text()
    for (const [at, cell] of (await cellsOf(known)).entries()) {
      const sum = sums[Number(known[at])]
      if (!sum) continue
      sum.seen += 1
      for (const [pixel, value] of cell.entries()) sum.cell[pixel] = (sum.cell[pixel] ?? 0) + value
    }
  }
  const means = sums.map(({ seen, cell }) => cell.map((value) => value / Math.max(1, seen)))
  const nearest = (cell: Cell): number => {
    const distances = means.map((mean) => distance(mean, cell))
    return distances.indexOf(Math.min(...distances))
  }
  let right = 0
  let digitsRight = 0
  for (let i = 0; i < count; i++) {
    const secret = text()
    const read = (await cellsOf(secret)).map(nearest).join('')
    digitsRight += Array.from(read).filter((digit, at) => digit === secret[at]).length
    if (read === secret) right += 1
  }
  const note = `${right} of ${count} read, ${Math.round((100 * digitsRight) / (digits * count))} % of digits`
  const violations = right / count > readMaxShare ? [`a simple reader reads captchas: ${note}`] : []
  return { tried: count, violations, note }
}
