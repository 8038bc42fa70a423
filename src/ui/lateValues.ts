type TextField = HTMLInputElement | HTMLTextAreaElement

/** Fields that a program can fill in with text. */
const isTextField = (element: Element): element is TextField =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && !['file', 'checkbox', 'radio'].includes(element.type))

/**
 * Some password managers set a field's value without an event after it, so the form's state still has the old text, and
 * the next rendering would empty the field. Before a form is submitted and when one of its fields loses the focus, the
 * fields announce what they contain; React ignores those that have not changed.
 */
export function followLateValues(target: Document = document): () => void {
  const announce = ({ target: source }: Event): void => {
    const form = source instanceof HTMLFormElement ? source : isField(source) ? source.form : null
    // Read before the first one is announced: the rendering that follows would empty the others.
    const values = [...(form?.elements ?? [])]
      .filter(isTextField)
      .map((field) => [field, field.value] as const)
    for (const [field, value] of values) {
      if (field.value !== value) setValue(field, value)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }
  target.addEventListener('submit', announce, { capture: true })
  target.addEventListener('focusout', announce, { capture: true })
  return () => {
    target.removeEventListener('submit', announce, { capture: true })
    target.removeEventListener('focusout', announce, { capture: true })
  }
}

const isField = (source: EventTarget | null): source is TextField =>
  source instanceof Element && isTextField(source)

/** Sets the value as the password manager did, past the property by which React would take it for its own. */
function setValue(field: TextField, value: string): void {
  const prototype =
    field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
}
