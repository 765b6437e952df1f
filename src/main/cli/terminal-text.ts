/** Colours that commands print themselves. */
const COLOR = /^\u001b\[(?:0|38;5;[0-9]{1,3})m/

/**
 * Text as a terminal may be shown it. What others wrote could else move the cursor, hide a line or fill the clipboard: control characters other than
 * ends of lines and tabs, and what turns the direction of writing around, become a sign that stands for them.
 */
export function terminalText(text: string): string {
  return text.replace(
    /\r\n|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (sign, index: number) => {
      if (sign === '\r\n') return '\n'
      return sign === '\u001b' && COLOR.test(text.slice(index, index + 12)) ? sign : '\ufffd'
    },
  )
}
