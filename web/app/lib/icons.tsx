// Icons in the size and colour of the type around them. All are decoration: the words stand beside them.
import type { ComponentChildren } from "preact";

function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {children}
    </svg>
  );
}

export const Check = () => <Icon><path d="m5 12.5 4.5 4.5L19 7" /></Icon>;
export const Cross = () => <Icon><path d="m6 6 12 12M18 6 6 18" /></Icon>;
export const Alert = () => <Icon><path d="M12 5v8M12 18v.01" /></Icon>;
export const Lock = () => <Icon><path d="M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3" /></Icon>;
export const Clock = () => <Icon><circle cx="12" cy="12" r="8.5" /><path d="M12 7.5V12l3 2" /></Icon>;
export const Up = () => <Icon><path d="M12 19V5m-6 6 6-6 6 6" /></Icon>;
export const Down = () => <Icon><path d="M12 5v14m-6-6 6 6 6-6" /></Icon>;
export const Signal = () => <Icon><path d="M4 10a12 12 0 0 1 16 0M7.5 14a7 7 0 0 1 9 0M12 18.5v.01" /></Icon>;
export const Part = () => <Icon><path d="M4 13.5c2.5-4.5 5.5-4.5 8-1.5s5.5 3 8-1.5" /></Icon>;
export const Star = () => <Icon><path d="m12 3.5 2.6 5.5 6 .8-4.4 4.1 1.1 6-5.3-2.9-5.3 2.9 1.1-6L3.4 9.8l6-.8z" /></Icon>;
export const Grip = () => <Icon><path d="M5 9h14M5 15h14" /></Icon>;
export const Phone = () => <Icon><path d="M7.5 3.5h9v17h-9zM11 17h2" /></Icon>;
export const Away = () => <Icon><path d="M7.5 8v12.5h9V17M7.5 3.5h9V12M3.5 4l17 16" /></Icon>;
export const Speaker = () => <Icon><path d="M4 9.5h3.5L12 5.5v13l-4.5-4H4zM15.5 9a4.5 4.5 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11" /></Icon>;
export const Globe = () => <Icon><path d="M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zm0 0c-5 5-5 12 0 17 5-5 5-12 0-17zM3.5 12h17" /></Icon>;
