// @vitest-environment happy-dom
import { useRef } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { usePullToRefresh } from '../../../src/ui/usePullToRefresh.ts'
import { mount } from './mount.tsx'

let pulled = 0

function Disc() {
  const node = useRef<HTMLOutputElement>(null)
  usePullToRefresh(node, () => {
    pulled += 1
  })
  return <output ref={node} />
}

beforeEach(async () => {
  pulled = 0
  await mount(<Disc />)
})

type Point = readonly [x: number, y: number]

function touch(type: string, points: readonly Point[], target: Element = document.body): void {
  const touches = points.map(([clientX, clientY]) => ({ clientX, clientY }))
  target.dispatchEvent(Object.assign(new Event(type, { bubbles: true }), { touches }))
}

/** A finger that touches at the first point, goes along the others and leaves. */
function drag(
  points: readonly Point[],
  { end = 'touchend', target = document.body }: { end?: string; target?: Element } = {},
): void {
  points.forEach((point, index) => touch(index === 0 ? 'touchstart' : 'touchmove', [point], target))
  touch(end, [], target)
}

const disc = () => document.querySelector('output')

it('a long pull counts once it is let go', () => {
  drag([
    [100, 100],
    [100, 120],
    [102, 300],
  ])
  expect(pulled).toBe(1)
})

it('what follows the finger says whether letting go would count', () => {
  touch('touchstart', [[100, 100]])
  touch('touchmove', [[100, 140]])
  expect(disc()?.getAttribute('data-pull')).toBe('held')
  touch('touchmove', [[100, 300]])
  expect(disc()?.getAttribute('data-pull')).toBe('enough')
  touch('touchend', [])
  expect(disc()?.hasAttribute('data-pull')).toBe(false)
})

it.each<[string, readonly Point[]]>([
  [
    'a short pull',
    [
      [100, 100],
      [100, 160],
    ],
  ],
  [
    'a pull that is taken back',
    [
      [100, 100],
      [100, 300],
      [100, 110],
    ],
  ],
  [
    'a swipe sideways',
    [
      [100, 100],
      [160, 120],
      [160, 400],
    ],
  ],
  [
    'a swipe up',
    [
      [100, 400],
      [100, 300],
      [100, 600],
    ],
  ],
])('%s asks for nothing', (_, points) => {
  drag(points)
  expect(pulled).toBe(0)
})

it('a touch that the system takes away, and one inside a sheet, ask for nothing', () => {
  const sheet = document.createElement('div')
  sheet.setAttribute('role', 'dialog')
  document.body.append(sheet)
  const long: readonly Point[] = [
    [100, 100],
    [100, 120],
    [100, 300],
  ]
  drag(long, { end: 'touchcancel' })
  drag(long, { target: sheet })
  sheet.remove()
  expect(pulled).toBe(0)
})
