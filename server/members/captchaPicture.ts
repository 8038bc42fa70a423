import type { Random } from '../ports.ts'

type Point = readonly [x: number, y: number]

/** Each digit as strokes on a field of 10 × 16; drawn as paths, because text would read itself out. */
const strokes: readonly (readonly (readonly Point[])[])[] = [
  [
    [
      [5, 0],
      [1, 3],
      [0, 8],
      [1, 13],
      [5, 16],
      [9, 13],
      [10, 8],
      [9, 3],
      [5, 0],
    ],
  ],
  [
    [
      [2, 3],
      [6, 0],
      [6, 8],
      [6, 16],
    ],
    [
      [2, 16],
      [10, 16],
    ],
  ],
  [
    [
      [0, 4],
      [2, 1],
      [6, 0],
      [9, 3],
      [8, 7],
      [4, 11],
      [0, 16],
      [10, 16],
    ],
  ],
  [
    [
      [0, 1],
      [5, 0],
      [9, 2],
      [8, 6],
      [4, 8],
      [9, 9],
      [10, 13],
      [6, 16],
      [0, 15],
    ],
  ],
  [
    [
      [7, 16],
      [7, 8],
      [7, 0],
      [0, 11],
      [10, 11],
    ],
  ],
  [
    [
      [9, 0],
      [1, 0],
      [0, 7],
      [5, 6],
      [10, 9],
      [9, 14],
      [5, 16],
      [0, 15],
    ],
  ],
  [
    [
      [9, 1],
      [4, 2],
      [0, 8],
      [1, 14],
      [5, 16],
      [9, 14],
      [9, 9],
      [5, 7],
      [1, 10],
    ],
  ],
  [
    [
      [0, 0],
      [10, 0],
      [7, 6],
      [4, 11],
      [3, 16],
    ],
  ],
  [
    [
      [5, 8],
      [1, 5],
      [2, 1],
      [5, 0],
      [8, 1],
      [9, 5],
      [5, 8],
      [0, 12],
      [2, 15],
      [5, 16],
      [8, 15],
      [10, 12],
      [5, 8],
    ],
  ],
  [
    [
      [9, 6],
      [5, 9],
      [1, 6],
      [1, 2],
      [5, 0],
      [9, 2],
      [9, 8],
      [6, 16],
    ],
  ],
]

const width = 160
const height = 60
const noiseLines = 5

/** Draws digits as bent, turned and shifted strokes with a few lines across them: SVG of paths only. */
export function digitsPicture(text: string, random: Random): string {
  const draw = uniform(random)
  const paths = Array.from(text, (digit, place) => digitPaths(Number(digit), place, draw)).flat()
  for (let i = 0; i < noiseLines; i++) paths.push(noisePath(draw))
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round">${paths.join('')}</svg>`
  )
}

type Draw = (low: number, high: number) => number

/** Uniform numbers from random bytes, two at a time. */
function uniform(random: Random): Draw {
  return (low, high) => {
    const [a = 0, b = 0] = random.bytes(2)
    return low + ((a * 256 + b) / 65_535) * (high - low)
  }
}

function digitPaths(digit: number, place: number, draw: Draw): string[] {
  const turn = draw(-0.35, 0.35)
  const scaleX = draw(1.5, 2.1)
  const scaleY = draw(1.9, 2.4)
  const slant = draw(-0.25, 0.25)
  const centre: Point = [24 + place * 37 + draw(-4, 4), height / 2 + draw(-5, 5)]
  const move = ([x, y]: Point): Point => {
    const across = (x - 5 + (y - 8) * slant) * scaleX
    const down = (y - 8) * scaleY
    return [
      centre[0] + across * Math.cos(turn) - down * Math.sin(turn) + draw(-0.8, 0.8),
      centre[1] + across * Math.sin(turn) + down * Math.cos(turn) + draw(-0.8, 0.8),
    ]
  }
  return (strokes[digit] ?? []).map((stroke) => path(stroke.map(move), draw(2, 3.2)))
}

function noisePath(draw: Draw): string {
  const points = [0, 0.33, 0.66, 1].map((share): Point => [share * width, draw(6, height - 6)])
  return path(points, draw(0.8, 1.6))
}

/** A smooth line through the middles of its segments, so that no digit keeps its corners. */
function path(points: readonly Point[], strokeWidth: number): string {
  const [first = [0, 0], ...rest] = points
  const curves = rest.map((point, i) => {
    const next = rest[i + 1]
    const end = next ? [(point[0] + next[0]) / 2, (point[1] + next[1]) / 2] : point
    return `Q${at(point)} ${at(end)}`
  })
  return `<path d="M${at(first)}${curves.join('')}" stroke-width="${strokeWidth.toFixed(1)}"/>`
}

const at = (point: readonly number[]): string => point.map((n) => n.toFixed(1)).join(' ')
