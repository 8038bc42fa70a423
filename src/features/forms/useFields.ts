import { useState } from 'react'
import type { ChangeEvent } from 'react'

/** Validates one field by all texts of the form: returns the error text, or undefined. */
export type FieldRule<Name extends string> = (texts: Readonly<Record<Name, string>>) => string | undefined

export type FieldBinding = {
  name: string
  value: string
  error: string | undefined
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
  onBlur: () => void
}

/**
 * The texts of a form and their errors. A field is validated after it lost the focus with text in it, or after the
 * form was sent. An error from the server stays until its field changes.
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
    /** Validates all fields, shows the errors and focuses the first invalid field. */
    validate: (form: HTMLFormElement): boolean => {
      setValidated(Object.fromEntries(names.map((name) => [name, true])) as Record<Name, true>)
      const invalid = names.find((name) => rules[name](texts) !== undefined)
      if (invalid !== undefined) focusField(form, invalid)
      return invalid === undefined
    },
    /** Shows errors from the server and focuses the first of their fields. */
    showServerErrors: (form: HTMLFormElement, messages: Partial<Record<Name, string>>): void => {
      setServerErrors(messages)
      const invalid = names.find((name) => messages[name] !== undefined)
      if (invalid !== undefined) focusField(form, invalid)
    },
  }
}

function focusField(form: HTMLFormElement, name: string): void {
  const control = form.elements.namedItem(name)
  if (control instanceof HTMLElement) control.focus()
}
