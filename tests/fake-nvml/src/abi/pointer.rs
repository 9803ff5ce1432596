//! Pointers that C hands in: each checked for null and then followed, here and nowhere else.
//!
//! All have the layout of a bare pointer. A caller that hands in a pointer to less memory than NVML's header asks for
//! breaks NVML's contract, as with NVIDIA's library.

use std::ffi::{CStr, c_char};

use super::{
    Uint,
    code::{Answer, Code},
};

/// A place for one `T`, or for the first of several; may be null.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct Out<T: Copy>(*mut T);

impl<T: Copy> Out<T> {
    /// A place in Rust's memory, for tests and for calls from within.
    pub fn of(place: &mut T) -> Self {
        Self(place)
    }

    /// A place for several.
    pub fn of_all(places: &mut [T]) -> Self {
        Self(places.as_mut_ptr())
    }

    /// No place.
    #[must_use]
    pub fn null() -> Self {
        Self(std::ptr::null_mut())
    }

    /// Whether there is no place.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The same place, for another form of what stands there: chosen by a version field.
    #[must_use]
    pub fn cast<U: Copy>(self) -> Out<U> {
        Out(self.0.cast())
    }

    /// Writes `value`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for null.
    pub fn put(self, value: T) -> Answer {
        if self.is_null() {
            return Err(Code::INVALID_ARGUMENT);
        }
        // SAFETY: not null, and NVML's contract says that there is room for one T.
        unsafe { self.0.write_unaligned(value) };
        Ok(())
    }

    /// What stands there.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for null.
    pub fn get(self) -> Answer<T> {
        if self.is_null() {
            return Err(Code::INVALID_ARGUMENT);
        }
        // SAFETY: not null, and NVML's contract says that a T stands there.
        Ok(unsafe { self.0.read_unaligned() })
    }

    /// What stands there, if its first field, a version, is `version` (see [`version`]).
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for null, `ARGUMENT_VERSION_MISMATCH` for another version.
    pub fn get_versioned(self, version: Uint) -> Answer<T> {
        if self.cast::<Uint>().get()? == version {
            return self.get();
        }
        Err(Code::ARGUMENT_VERSION_MISMATCH)
    }

    /// What stands there, so many one after the other.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for null.
    pub fn get_all(self, count: usize) -> Answer<Vec<T>> {
        if self.is_null() {
            return Err(Code::INVALID_ARGUMENT);
        }
        // SAFETY: not null, and NVML's contract says that so many stand there, aligned as C aligns them.
        Ok(unsafe { std::slice::from_raw_parts(self.0, count) }.to_vec())
    }

    /// Writes `values` one after the other; the caller has said that there is room.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for null.
    pub fn put_all(self, values: &[T]) -> Answer {
        if self.is_null() {
            return if values.is_empty() { Ok(()) } else { Err(Code::INVALID_ARGUMENT) };
        }
        // SAFETY: not null, and NVML's contract says that there is room for as many as the caller was told.
        unsafe { self.0.copy_from(values.as_ptr(), values.len()) };
        Ok(())
    }

    /// The usual list: `count` holds how many fit and receives how many there are; without a place to write, only
    /// the number is told.
    ///
    /// # Errors
    /// `INSUFFICIENT_SIZE` when they don't fit, with the number written; `INVALID_ARGUMENT` when `count` is null.
    pub fn list(self, count: Out<Uint>, values: &[T]) -> Answer {
        let room = count.get()?;
        let there = Uint::try_from(values.len()).unwrap_or(Uint::MAX);
        count.put(there)?;
        match (self.is_null() && room == 0, room < there) {
            (true, true) | (false, true) => Err(Code::INSUFFICIENT_SIZE),
            (_, false) => self.put_all(values),
        }
    }
}

/// A place for text; may be null.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct OutText(*mut c_char);

impl OutText {
    /// A place in Rust's memory.
    pub fn of(place: &mut [u8]) -> Self {
        Self(place.as_mut_ptr().cast())
    }

    /// Writes `text` and a final zero into `length` bytes.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for null, `INSUFFICIENT_SIZE` when it doesn't fit.
    pub fn put(self, length: Uint, text: &str) -> Answer {
        if self.0.is_null() {
            return Err(Code::INVALID_ARGUMENT);
        }
        if usize::try_from(length).unwrap_or(usize::MAX) <= text.len() {
            return Err(Code::INSUFFICIENT_SIZE);
        }
        let (start, bytes) = (self.0.cast::<u8>(), text.as_bytes());
        // SAFETY: the caller says that `length` bytes may be written, and the text is shorter.
        unsafe { start.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        // SAFETY: still within `length`.
        let end = unsafe { start.add(bytes.len()) };
        // SAFETY: as above.
        unsafe { end.write(0) };
        Ok(())
    }
}

/// Text that is handed in; may be null.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct InText(*const c_char);

impl InText {
    /// Text in Rust's memory.
    #[must_use]
    pub fn of(text: &CStr) -> Self {
        Self(text.as_ptr())
    }

    /// The text.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for null and for what is no UTF-8.
    pub fn get(&self) -> Answer<&str> {
        if self.0.is_null() {
            return Err(Code::INVALID_ARGUMENT);
        }
        // SAFETY: not null, and NVML's contract says that it ends with a zero and lives during the call.
        let text = unsafe { CStr::from_ptr(self.0) };
        text.to_str().ok().ok_or(Code::INVALID_ARGUMENT)
    }
}

/// The version that a struct of NVML bears: its size, and its number in the upper byte.
#[must_use]
pub const fn version<T>(number: Uint) -> Uint {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "no struct of NVML comes near 4 GiB; try_from is not const"
    )]
    let size = size_of::<T>() as Uint;
    size | number << 24
}

/// `text` as a fixed array of C, cut to leave room for the final zero.
#[must_use]
pub fn fixed<const N: usize>(text: &str) -> [c_char; N] {
    let mut array = [0; N];
    for (place, byte) in array.iter_mut().zip(text.bytes()).take(N.saturating_sub(1)) {
        *place = c_char::from_ne_bytes([byte]);
    }
    array
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_does_not_fit_is_not_written() {
        let mut place = [7u8; 4];
        assert_eq!(OutText::of(&mut place).put(4, "abcd"), Err(Code::INSUFFICIENT_SIZE));
        assert_eq!(place, [7; 4]);
        assert_eq!(OutText::of(&mut place).put(4, "abc"), Ok(()));
        assert_eq!(&place, b"abc\0");
    }

    #[test]
    fn a_list_tells_its_length_before_it_is_fetched() {
        let (mut count, mut places) = (0, [0u32; 2]);
        assert_eq!(Out::null().list(Out::of(&mut count), &[5u32, 6]), Err(Code::INSUFFICIENT_SIZE));
        assert_eq!(count, 2);
        assert_eq!(Out::of_all(&mut places).list(Out::of(&mut count), &[5, 6]), Ok(()));
        assert_eq!(places, [5, 6]);
    }

    #[test]
    fn null_is_an_invalid_argument_everywhere() {
        assert_eq!(Out::null().put(1u32), Err(Code::INVALID_ARGUMENT));
        assert_eq!(Out::<u32>::null().get(), Err(Code::INVALID_ARGUMENT));
        assert_eq!(Out::<u32>::null().get_versioned(1), Err(Code::INVALID_ARGUMENT));
        assert_eq!(InText(std::ptr::null()).get(), Err(Code::INVALID_ARGUMENT));
        assert_eq!(OutText(std::ptr::null_mut()).put(9, ""), Err(Code::INVALID_ARGUMENT));
    }

    #[test]
    fn fixed_text_always_ends_with_a_zero() {
        assert_eq!(fixed::<4>("abcdef").map(|c| c.to_ne_bytes()[0]), *b"abc\0");
    }
}
