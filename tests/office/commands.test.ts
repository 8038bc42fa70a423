// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { addCommands, startKeys, type Command } from '../../office/keys/commands.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
  document.body.replaceChildren()
})

function offer(...commands: (Pick<Command, 'keys'> & Partial<Command>)[]) {
  const runs = commands.map(() => vi.fn())
  cleanups.push(
    addCommands(
      commands.map((command, at) => ({
        label: 'keys.help',
        group: 'general',
        run: runs[at]!,
        ...command,
      })),
    ),
  )
  return runs
}
const start = (allows = true): void => void cleanups.push(startKeys(() => allows))
const press = (key: string, target: EventTarget = window, more: KeyboardEventInit = {}): boolean =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))

it('runs the newest command of a key, and prevents what the browser would do', () => {
  start()
  const [older, newer] = [...offer({ keys: 'a' }), ...offer({ keys: 'a' })]
  expect(press('a')).toBe(false)
  expect(newer).toHaveBeenCalledOnce()
  expect(older).not.toHaveBeenCalled()
  expect(press('b')).toBe(true)
})

it('runs two keys in a row, and a single key if the second one belongs to no command', () => {
  start()
  const [goDeposits, next] = offer({ keys: 'g d' }, { keys: 'n' })
  press('g')
  press('d')
  expect(goDeposits).toHaveBeenCalledOnce()
  press('g')
  press('n')
  expect(next).toHaveBeenCalledOnce()
  press('d')
  expect(goDeposits).toHaveBeenCalledOnce()
})

it('leaves single keys to a field, but not those with a modifier', () => {
  start()
  const [approve, palette] = offer({ keys: 'a' }, { keys: 'mod+k' })
  const field = document.body.appendChild(document.createElement('textarea'))
  expect(press('a', field)).toBe(true)
  expect(approve).not.toHaveBeenCalled()
  press('k', field, { ctrlKey: true })
  press('k', field, { metaKey: true })
  expect(palette).toHaveBeenCalledTimes(2)
})

it('runs no single key while a dialog is open', () => {
  start()
  const [approve] = offer({ keys: 'a' })
  const dialog = document.body.appendChild(document.createElement('div'))
  dialog.setAttribute('role', 'dialog')
  press('a')
  expect(approve).not.toHaveBeenCalled()
})

it('runs no single key once they are turned off', () => {
  start(false)
  const [approve, palette] = offer({ keys: 'a' }, { keys: 'mod+k' })
  press('a')
  press('k', window, { ctrlKey: true })
  expect(approve).not.toHaveBeenCalled()
  expect(palette).toHaveBeenCalledOnce()
})
