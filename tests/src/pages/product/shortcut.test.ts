// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { acceptsShortcuts, shortcutOf } from '../../../../src/pages/product/shortcut.ts'
import type { KeyPress } from '../../../../src/pages/product/shortcut.ts'

const press = (parts: Partial<KeyPress>): KeyPress => ({
  key: '',
  code: '',
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  repeat: false,
  isComposing: false,
  keyCode: 0,
  defaultPrevented: false,
  ...parts,
})
const up = { kind: 'direction', direction: 'up' }
const down = { kind: 'direction', direction: 'down' }

describe('the ticket by keys', () => {
  it.each([
    ['u', 'KeyU', up],
    ['U', 'KeyU', up],
    ['d', 'KeyD', down],
    ['1', 'Digit1', { kind: 'duration', index: 0 }],
    ['6', 'Numpad6', { kind: 'duration', index: 5 }],
    ['7', 'Digit7', undefined],
    ['0', 'Digit0', undefined],
    ['x', 'KeyX', undefined],
    ['Enter', 'Enter', undefined],
    ['', '', undefined],
  ])('%s does what its cap says', (key, code, expected) => {
    expect(shortcutOf(press({ key, code }))).toEqual(expected)
  })

  it.each([
    ['a Thai board', 'ี', 'KeyU', up],
    ['a Korean board', 'ㅇ', 'KeyD', down],
    ['a French board', 'é', 'Digit2', { kind: 'duration', index: 1 }],
    // What is written on the cap counts: on this board another letter lies where U is.
    ['a Dvorak board', 'g', 'KeyU', undefined],
    ['a Dvorak board', 'u', 'KeyF', up],
  ])('of %s goes by cap or by place', (_, key, code, expected) => {
    expect(shortcutOf(press({ key, code }))).toEqual(expected)
  })

  it.each(['altKey', 'ctrlKey', 'metaKey', 'shiftKey', 'repeat', 'isComposing', 'defaultPrevented'] as const)(
    'is left alone with %s',
    (held) => expect(shortcutOf(press({ key: 'u', code: 'KeyU', [held]: true }))).toBeUndefined(),
  )

  it('is left alone if an input method takes it, as Safari reports that', () => {
    expect(shortcutOf(press({ key: '1', code: 'Digit1', keyCode: 229 }))).toBeUndefined()
  })
})

describe('where the keys are heard', () => {
  afterEach(() => document.body.replaceChildren())
  const page = () => {
    document.body.innerHTML =
      '<h1 tabindex="-1"></h1><a href="#x"></a><section><button></button><input><input type="radio"></section>'
    return (selector: string) => {
      const found = document.querySelector(selector)
      if (found === null) throw new Error(selector)
      return found
    }
  }

  it.each([
    ['body', true],
    ['h1', true],
    ['button', true],
    ['input[type=radio]', true],
    ['input', false],
    ['a', false],
  ])('%s: %s', (selector, heard) => {
    const find = page()
    expect(acceptsShortcuts(find(selector), find('section'))).toBe(heard)
  })
})
