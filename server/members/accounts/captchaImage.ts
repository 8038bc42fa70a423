import type { Random } from '../../platform/ports.ts'
import { loadSharp } from '../../platform/sharp.ts'

type Point = readonly [x: number, y: number]

/** Each digit as strokes on a field of 10 × 16: points `x,y` from stroke to stroke, which `|` separates. */
const digitShapes: readonly (readonly (readonly Point[])[])[] = [
  '5,0 1,3 0,8 1,13 5,16 9,13 10,8 9,3 5,0',
  '2,3 6,0 6,8 6,16 | 2,16 10,16',
  '0,4 2,1 6,0 9,3 8,7 4,11 0,16 10,16',
  '0,1 5,0 9,2 8,6 4,8 9,9 10,13 6,16 0,15',
  '7,16 7,8 7,0 0,11 10,11',
  '9,0 1,0 0,7 5,6 10,9 9,14 5,16 0,15',
  '9,1 4,2 0,8 1,14 5,16 9,14 9,9 5,7 1,10',
  '0,0 10,0 7,6 4,11 3,16',
  '5,8 1,5 2,1 5,0 8,1 9,5 5,8 0,12 2,15 5,16 8,15 10,12 5,8',
  '9,6 5,9 1,6 1,2 5,0 9,2 9,8 6,16',
].map((strokes) => strokes.split(' | ').map((stroke) => stroke.split(' ').map(pointOf)))

const width = 160
const height = 60
const backgroundShade = 236
/** How much darker a stroke is than the background, and by how much noise changes a pixel in either direction. */
const strokeContrast = 150
const noiseAmplitude = 34
/** Pieces of other digits, drawn like the digits: they cannot be told apart by width, darkness or order. */
const decoyStrokeCount = 5
const decoyCurveCount = 2

/**
 * Draws four digits in pixels: bent, rotated and shifted strokes with pieces of other digits and a few curves over them,
 * then a wave and noise over the whole picture. Returns an SVG around a PNG, as text.
 */
export async function renderCaptcha(text: string, random: Random): Promise<string> {
  const randomBetween = createRandomBetween(random)
  const lines = [
    ...Array.from(text, (digit, index) => digitStrokes(Number(digit), index, randomBetween)).flat(),
    ...Array.from({ length: decoyStrokeCount }, () => decoyStroke(randomBetween)),
    ...Array.from({ length: decoyCurveCount }, () => decoyCurve(randomBetween)),
  ]
  const pixels = rasterize(lines.map(randomWave(randomBetween)), random)
  const sharp = await loadSharp()
  const png = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 9 })
    .toBuffer()
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
    `<image width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/></svg>`
  )
}

type RandomBetween = (low: number, high: number) => number
type Line = { points: Point[]; thickness: number }

/** Uniform numbers, each from two random bytes. */
function createRandomBetween(random: Random): RandomBetween {
  return (low, high) => {
    const [a = 0, b = 0] = random.bytes(2)
    return low + ((a * 256 + b) / 65_535) * (high - low)
  }
}

const randomThickness = (randomBetween: RandomBetween): number => randomBetween(1.9, 2.8)

function digitStrokes(digit: number, index: number, randomBetween: RandomBetween): Line[] {
  const move = randomPlacement(
    [24 + index * 37 + randomBetween(-4, 4), height / 2 + randomBetween(-5, 5)],
    randomBetween,
  )
  return (digitShapes[digit] ?? []).map((stroke) => ({
    points: smoothCurve(stroke.map(move)),
    thickness: randomThickness(randomBetween),
  }))
}

/** A part of a stroke of any digit, anywhere: too short to be read as one. */
function decoyStroke(randomBetween: RandomBetween): Line {
  const [stroke = []] = digitShapes[Math.min(9, Math.floor(randomBetween(0, 10)))] ?? []
  const move = randomPlacement([randomBetween(8, width - 8), randomBetween(8, height - 8)], randomBetween)
  const curve = smoothCurve(stroke.map(move))
  const from = Math.floor(randomBetween(0, curve.length * 0.75))
  return {
    points: curve.slice(from, from + Math.ceil(curve.length * 0.25)),
    thickness: randomThickness(randomBetween),
  }
}

function decoyCurve(randomBetween: RandomBetween): Line {
  const points = [0, 0.25, 0.5, 0.75, 1].map((share): Point => [share * width, randomBetween(6, height - 6)])
  return { points: smoothCurve(points), thickness: randomBetween(1, 1.5) }
}

/** Rotates, stretches, slants and shifts the points of a digit, with a small random offset for each point. */
function randomPlacement(centre: Point, randomBetween: RandomBetween): (point: Point) => Point {
  const rotation = randomBetween(-0.35, 0.35)
  const scaleX = randomBetween(1.5, 2.1)
  const scaleY = randomBetween(1.9, 2.4)
  const slant = randomBetween(-0.25, 0.25)
  return ([x, y]) => {
    const across = (x - 5 + (y - 8) * slant) * scaleX
    const down = (y - 8) * scaleY
    return [
      centre[0] + across * Math.cos(rotation) - down * Math.sin(rotation) + randomBetween(-0.8, 0.8),
      centre[1] + across * Math.sin(rotation) + down * Math.cos(rotation) + randomBetween(-0.8, 0.8),
    ]
  }
}

/** A wave over the whole picture, the same for all its lines. */
function randomWave(randomBetween: RandomBetween): (line: Line) => Line {
  const [high, wide] = [randomBetween(1.5, 3), randomBetween(1, 2.2)]
  const [long, tall] = [randomBetween(45, 80), randomBetween(30, 50)]
  const [a, b] = [randomBetween(0, 2 * Math.PI), randomBetween(0, 2 * Math.PI)]
  const move = ([x, y]: Point): Point => [
    x + wide * Math.sin((2 * Math.PI * y) / tall + b),
    y + high * Math.sin((2 * Math.PI * x) / long + a),
  ]
  return (line) => ({ ...line, points: line.points.map(move) })
}

const stepsPerCurve = 8

/** Points of a smooth line through the midpoints of the segments, so that no digit keeps its corners. */
function smoothCurve(points: readonly Point[]): Point[] {
  const [first] = points
  if (!first) return []
  let start = first
  const curve: Point[] = [first]
  points.slice(1).forEach((control, i, rest) => {
    const next = rest[i + 1]
    const end: Point = next ? [(control[0] + next[0]) / 2, (control[1] + next[1]) / 2] : control
    for (let step = 1; step <= stepsPerCurve; step++) {
      const t = step / stepsPerCurve
      const at = (axis: 0 | 1): number =>
        (1 - t) ** 2 * start[axis] + 2 * t * (1 - t) * control[axis] + t ** 2 * end[axis]
      curve.push([at(0), at(1)])
    }
    start = end
  })
  return curve
}

/** Grey pixels, row by row: background, lines, and noise over both. */
function rasterize(lines: readonly Line[], random: Random): Uint8Array {
  const covered = new Float32Array(width * height)
  for (const { points, thickness } of lines) {
    points.slice(1).forEach((to, i) => {
      const from = points[i]
      if (from) coverSegment(covered, from, to, thickness)
    })
  }
  const noise = random.bytes(width * height)
  return Uint8Array.from(covered, (share, i) => {
    const shade =
      backgroundShade - strokeContrast * share + (((noise[i] ?? 0) / 255) * 2 - 1) * noiseAmplitude
    // Eight shades: as much noise in half the bytes.
    return Math.min(255, Math.max(0, Math.round(shade / 32) * 32))
  })
}

/** Marks the pixels that a segment of a line covers, with a soft edge. */
function coverSegment(covered: Float32Array, from: Point, to: Point, thickness: number): void {
  const reach = thickness / 2 + 1
  const along: Point = [to[0] - from[0], to[1] - from[1]]
  const length2 = along[0] ** 2 + along[1] ** 2
  const [left, right] = span(from[0], to[0], reach, width)
  const [top, bottom] = span(from[1], to[1], reach, height)
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const dot = (x - from[0]) * along[0] + (y - from[1]) * along[1]
      const share = length2 === 0 ? 0 : Math.min(1, Math.max(0, dot / length2))
      const distance = Math.hypot(x - from[0] - share * along[0], y - from[1] - share * along[1])
      const shade = Math.min(1, Math.max(0, thickness / 2 + 0.5 - distance))
      const i = y * width + x
      covered[i] = Math.max(covered[i] ?? 0, shade)
    }
  }
}

/** The pixels between two positions on one axis and `reach` beyond them, clipped to the picture. */
const span = (a: number, b: number, reach: number, size: number): [first: number, last: number] => [
  Math.max(0, Math.floor(Math.min(a, b) - reach)),
  Math.min(size - 1, Math.ceil(Math.max(a, b) + reach)),
]

/** The point of a text such as `10,16`. */
function pointOf(text: string): Point {
  const [x = 0, y = 0] = text.split(',').map(Number)
  return [x, y]
}
