import { useState } from 'react'

/** The password of a confirmation, and what is wrong with it until it is changed. */
export function usePasswordField() {
  const [password, setPassword] = useState('')
  const [passwordError, setPasswordError] = useState<string>()
  return {
    setPasswordError,
    /** The venue did not take it: it is entered again. */
    rejectPassword: (error: string) => {
      setPassword('')
      setPasswordError(error)
    },
    field: {
      password,
      passwordError,
      setPassword: (text: string) => {
        setPassword(text)
        setPasswordError(undefined)
      },
    },
  }
}
