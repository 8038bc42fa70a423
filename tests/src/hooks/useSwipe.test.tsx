// @vitest-environment happy-dom
import { act } from 'react'
import { createPortal } from 'react-dom'
import { expect, it } from 'vitest'
import { useSwipe } from '../../../src/hooks/useSwipe.ts'
import { mount, one } from '../ui/mount.tsx'

const steps: number[] = []

function Swiped() {
  return (
    <div id="swiped" {...useSwipe((step) => steps.push(step))}>
      {createPortal(<p id="sheet" />, document.body)}
    </div>
  )
}

type Swipe = {
  from?: [number, number]
  to: [number, number]
  on?: string
  type?: string
  cancelled?: boolean
}

async function swipe({ from = [200, 50], to, on = '#swiped', type = 'touch', cancelled = false }: Swipe) {
  steps.length = 0
  await mount(<Swiped />)
  const send = (name: string, [clientX, clientY]: [number, number]) =>
    act(async () => {
      const parts = { bubbles: true, clientX, clientY, pointerType: type, isPrimary: true, pointerId: 1 }
      one(on).dispatchEvent(new PointerEvent(name, parts))
    })
  await send('pointerdown', from)
  if (cancelled) await send('pointercancel', to)
  await send('pointerup', to)
  return steps
}

it.each<[string, Swipe, number[]]>([
  ['to the left is to what comes after', { to: [120, 60] }, [1]],
  ['to the right is to what comes before', { to: [280, 60] }, [-1]],
  ['that is short is none', { to: [170, 50] }, []],
  ['that goes down is none', { to: [140, 150] }, []],
  ['from the edge is the phone’s own', { from: [10, 50], to: [200, 50] }, []],
  ['that scrolls is none', { to: [120, 60], cancelled: true }, []],
  ['of a mouse is none', { to: [120, 60], type: 'mouse' }, []],
  ['in a sheet of its own is none', { to: [120, 60], on: '#sheet' }, []],
])('a swipe %s', async (_, parts, expected) => {
  expect(await swipe(parts)).toEqual(expected)
})
