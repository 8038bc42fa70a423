import { useState, type ChangeEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldTexts } from '../../api/failureText.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import type { Failure } from '../../../streams/index.ts'

/** Validates one field by all texts of the form: returns the error text, or undefined. */
export type FieldRule<Name extends string> = (texts: Readonly<Record<Name, string>>) => string | undefined

type Binding = {
  name: string
  value: string
  error: string | undefined
  onBlur: () => void
}
export type FieldBinding = Binding & { onChange: (event: ChangeEvent<HTMLInputElement>) => void }
/** Of a control that passes on the text, not the event. */
export type ValueBinding = Binding & { onValue: (text: string) => void }

/**
 * The texts of a form and their errors. A field is validated after it lost the focus with text in it, or after the
 * form was sent. An error from the server stays until its field changes.
 */
export function useFields<Name extends string>(
  initial: Readonly<Record<Name, string>>,
  rules: Readonly<Record<Name, FieldRule<Name>>>,
) {
  const { t } = useTranslation()
  const format = useFormat()
  const [texts, setTexts] = useState(initial)
  const [validated, setValidated] = useState<Partial<Record<Name, true>>>({})
  const [serverErrors, setServerErrors] = useState<Partial<Record<Name, string>>>({})
  const names = Object.keys(initial) as Name[]

  const set = (name: Name, text: string): void => {
    setTexts((before) => ({ ...before, [name]: text }))
    setServerErrors((before) => ({ ...before, [name]: undefined }))
  }
  /** Shows errors from the server and focuses the first of their fields. */
  const showServerErrors = (form: HTMLFormElement, messages: Partial<Record<Name, string>>): void => {
    setServerErrors(messages)
    const invalid = names.find((name) => messages[name] !== undefined)
    if (invalid !== undefined) focusField(form, invalid)
  }
  const shared = (name: Name): Binding => ({
    name,
    value: texts[name],
    error: serverErrors[name] ?? (validated[name] ? rules[name](texts) : undefined),
    onBlur: () => {
      if (texts[name] !== '') setValidated((before) => ({ ...before, [name]: true }))
    },
  })
  return {
    texts,
    set,
    bind: (name: Name): FieldBinding => ({
      ...shared(name),
      onChange: (event) => set(name, event.currentTarget.value),
    }),
    bindValue: (name: Name): ValueBinding => ({ ...shared(name), onValue: (text) => set(name, text) }),
    /** Validates all fields, shows the errors and focuses the first invalid field. */
    validate: (form: HTMLFormElement): boolean => {
      setValidated(Object.fromEntries(names.map((name) => [name, true])) as Record<Name, true>)
      const invalid = names.find((name) => rules[name](texts) !== undefined)
      if (invalid !== undefined) focusField(form, invalid)
      return invalid === undefined
    },
    showServerErrors,
    /** Shows what a failure says about the fields; returns it if it says nothing about any of them. */
    showFailure: (form: HTMLFormElement, failure: Failure): Failure | undefined => {
      const messages: Partial<Record<string, string>> = fieldTexts(t, format, failure)
      // What is wrong with a field that this form does not have is shown as the whole form's problem.
      if (names.every((name) => messages[name] === undefined)) return failure
      showServerErrors(form, messages)
      return undefined
    },
  }
}

function focusField(form: HTMLFormElement, name: string): void {
  const control = form.elements.namedItem(name)
  if (control instanceof HTMLElement) control.focus()
}
