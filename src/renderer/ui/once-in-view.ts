/** Returns an attachment that calls `call` once, as soon as its element is in view. */
export function onceInView(call: () => void): (element: Element) => () => void {
  return (element) => {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      call()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }
}
