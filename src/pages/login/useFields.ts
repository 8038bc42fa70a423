import { useState } from 'react'
import type { ChangeEvent } from 'react'

/** Judges one field by all texts of the form: what is wrong in words, or undefined. */
export type FieldRule<Name extends string> = (texts: Readonly<Record<Name, string>>) => string | undefined

export type FieldBinding = {
  name: string
  value: string
  error: string | undefined
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
  onBlur: () => void
}

/**
 * The texts of a form and what is wrong with them. A field is judged once it was left with something in it, or
 * once the form was sent; what the venue said of a field stands until that field changes.
 */
export function useFields<Name extends string>(
  initial: Readonly<Record<Name, string>>,
  rules: Readonly<Record<Name, FieldRule<Name>>>,
) {
  const [texts, setTexts] = useState(initial)
  const [validated, setValidated] = useState<Partial<Record<Name, true>>>({})
  const [serverErrors, setServerErrors] = useState<Partial<Record<Name, string>>>({})
  const names = Object.keys(initial) as Name[]

  const set = (name: Name, text: string): void => {
    setTexts((before) => ({ ...before, [name]: text }))
    setServerErrors((before) => ({ ...before, [name]: undefined }))
  }
  return {
    texts,
    set,
    bind: (name: Name): FieldBinding => ({
      name,
      value: texts[name],
      error: serverErrors[name] ?? (validated[name] ? rules[name](texts) : undefined),
      onChange: (event) => set(name, event.currentTarget.value),
      onBlur: () => {
        if (texts[name] !== '') setValidated((before) => ({ ...before, [name]: true }))
      },
    }),
    /** Judges all fields, shows what is wrong and puts the focus on the first wrong one. */
    validate: (form: HTMLFormElement): boolean => {
      setValidated(Object.fromEntries(names.map((name) => [name, true])) as Record<Name, true>)
      const wrong = names.find((name) => rules[name](texts) !== undefined)
      if (wrong !== undefined) focusField(form, wrong)
      return wrong === undefined
    },
    /** Shows what the venue said of some fields. */
    showServerErrors: (form: HTMLFormElement, messages: Partial<Record<Name, string>>): void => {
      setServerErrors(messages)
      const wrong = names.find((name) => messages[name] !== undefined)
      if (wrong !== undefined) focusField(form, wrong)
    },
  }
}

function focusField(form: HTMLFormElement, name: string): void {
  const control = form.elements.namedItem(name)
  if (control instanceof HTMLElement) control.focus()
}
