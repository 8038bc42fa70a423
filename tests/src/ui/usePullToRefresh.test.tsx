// @vitest-environment happy-dom
import { useRef } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { usePullToRefresh } from '../../../src/ui/usePullToRefresh.ts'
import { mount } from './mount.tsx'

let refreshCount = 0

function Disc() {
  const node = useRef<HTMLOutputElement>(null)
  usePullToRefresh(node, () => {
    refreshCount += 1
  })
  return <output ref={node} />
}

beforeEach(async () => {
  refreshCount = 0
  await mount(<Disc />)
})

type Point = readonly [x: number, y: number]

function touch(type: string, points: readonly Point[], target: Element = document.body): void {
  const touches = points.map(([clientX, clientY]) => ({ clientX, clientY }))
  target.dispatchEvent(Object.assign(new Event(type, { bubbles: true }), { touches }))
}

/** Touches at the first point, moves along the others and ends the touch. */
function drag(
  points: readonly Point[],
  { end = 'touchend', target = document.body }: { end?: string; target?: Element } = {},
): void {
  points.forEach((point, index) => touch(index === 0 ? 'touchstart' : 'touchmove', [point], target))
  touch(end, [], target)
}

const disc = () => document.querySelector('output')

it('refreshes once a long pull is released', () => {
  drag([
    [100, 100],
    [100, 120],
    [102, 300],
  ])
  expect(refreshCount).toBe(1)
})

it('marks whether releasing would refresh', () => {
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
    'a pull that is reversed',
    [
      [100, 100],
      [100, 300],
      [100, 110],
    ],
  ],
  [
    'a horizontal swipe',
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
])('does not refresh on %s', (_, points) => {
  drag(points)
  expect(refreshCount).toBe(0)
})

it('does not refresh on a cancelled touch or a touch inside a sheet', () => {
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
  expect(refreshCount).toBe(0)
})
