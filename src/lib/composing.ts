/**
 * Whether a key press belongs to an input method, such as the Enter that picks a candidate. Safari ends the
 * composition before it reports that key, but still sets the legacy key code 229.
 */
export const isComposing = (event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  event.isComposing || event.keyCode === 229
