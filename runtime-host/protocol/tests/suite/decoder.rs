//! Cutting a stream into lines.

use maka_host_protocol::{FrameDecoder, FrameFault, MAX_FRAME_BYTES, encode_frame};

/// Pushes `bytes` in pieces of `size` and takes whatever comes, up to the end or the first fault.
fn decode(bytes: &[u8], size: usize) -> (Vec<String>, Option<FrameFault>) {
    let mut decoder = FrameDecoder::default();
    let mut frames = Vec::new();
    for piece in bytes.chunks(size) {
        decoder.push(piece);
        loop {
            match decoder.next_frame() {
                Ok(Some(frame)) => frames.push(frame),
                Ok(None) => break,
                Err(fault) => return (frames, Some(fault)),
            }
        }
    }
    (frames, decoder.finish().err())
}

fn line_of(length: usize, end: &str) -> Vec<u8> {
    let mut line = vec![b'x'; length];
    line.extend_from_slice(end.as_bytes());
    line
}

/// Cases `frame-exact` and `frame-limit`.
#[test]
fn a_line_of_exactly_the_limit_is_taken_and_one_byte_more_is_not() {
    for end in ["\n", "\r\n"] {
        for size in [1_021, MAX_FRAME_BYTES - 1, MAX_FRAME_BYTES + 2] {
            let (frames, fault) = decode(&line_of(MAX_FRAME_BYTES, end), size);
            assert_eq!(frames.iter().map(String::len).collect::<Vec<_>>(), [MAX_FRAME_BYTES]);
            assert_eq!(fault, None, "pieces of {size}");
            let (frames, fault) = decode(&line_of(MAX_FRAME_BYTES + 1, end), size);
            assert_eq!(frames.len(), 0, "pieces of {size}");
            assert_eq!(fault, Some(FrameFault::TooLarge), "pieces of {size}");
        }
    }
}

#[test]
fn a_line_over_the_limit_is_refused_before_its_end_has_come() {
    let mut decoder = FrameDecoder::default();
    decoder.push(&line_of(MAX_FRAME_BYTES, "\r"));
    assert_eq!(decoder.next_frame(), Ok(None), "an LF may still make it a line of the limit");
    decoder.push(b"x");
    assert_eq!(decoder.next_frame(), Err(FrameFault::TooLarge));

    let mut decoder = FrameDecoder::default();
    decoder.push(&line_of(MAX_FRAME_BYTES + 1, ""));
    assert_eq!(decoder.next_frame(), Err(FrameFault::TooLarge));
}

/// Case `frame-crlf`.
#[test]
fn the_cr_of_a_cr_lf_belongs_to_the_line_end_and_no_other_cr_does() {
    let (frames, fault) = decode(b"{\"a\":1}\r\n[2]\n\"a\rb\"\n", 3);
    assert_eq!(frames, ["{\"a\":1}", "[2]", "\"a\rb\""]);
    assert_eq!(fault, None);
}

/// Case `frame-empty-line`.
#[test]
fn an_empty_line_is_a_fault_after_the_lines_before_it() {
    for stream in [&b"[1]\n\n[2]\n"[..], b"[1]\n\r\n[2]\n"] {
        assert_eq!(decode(stream, 64), (vec!["[1]".to_owned()], Some(FrameFault::Empty)));
    }
}

/// Case `frame-bad-utf8`.
#[test]
fn a_line_that_is_not_utf8_is_a_fault_after_the_lines_before_it() {
    let stream = b"[1]\n\"\xff\"\n[2]\n";
    assert_eq!(decode(stream, 64), (vec!["[1]".to_owned()], Some(FrameFault::InvalidUtf8)));
    let cut_off = b"\"\xe2\x82\n";
    assert_eq!(decode(cut_off, 64), (Vec::new(), Some(FrameFault::InvalidUtf8)));
    let mut large = line_of(40_000, "");
    large.extend_from_slice(b"\xff\n");
    assert_eq!(decode(&large, 64), (Vec::new(), Some(FrameFault::InvalidUtf8)));
}

/// Case `frame-split-utf8`.
#[test]
fn a_stream_reads_the_same_however_it_is_cut() {
    let stream = "\"é€😀\"\n{\"b\":\"\u{2028}\"}\r\n[3]\n".as_bytes();
    for size in 1..=stream.len() {
        let (frames, fault) = decode(stream, size);
        assert_eq!(frames, ["\"é€😀\"", "{\"b\":\"\u{2028}\"}", "[3]"], "pieces of {size}");
        assert_eq!(fault, None);
    }
}

/// Case `frame-partial-at-eof`.
#[test]
fn a_stream_that_ends_inside_a_line_is_partial_after_the_lines_before_it() {
    assert_eq!(decode(b"[1]\n[2", 64), (vec!["[1]".to_owned()], Some(FrameFault::Partial)));
    assert_eq!(decode(b"[1]\n\r", 64), (vec!["[1]".to_owned()], Some(FrameFault::Partial)));
    assert_eq!(decode(b"", 64), (Vec::new(), None));
}

#[test]
fn nothing_is_given_out_after_a_fault() {
    let mut decoder = FrameDecoder::default();
    decoder.push(b"\n[2]\n");
    assert_eq!(decoder.next_frame(), Err(FrameFault::Empty));
    decoder.push(b"[3]\n");
    assert_eq!(decoder.next_frame(), Err(FrameFault::Empty));
    assert_eq!(decoder.finish(), Err(FrameFault::Empty));
}

#[test]
fn large_and_small_lines_of_one_push_come_in_order() {
    let mut stream = b"[1]\n".to_vec();
    stream.extend(line_of(100_000, "\r\n"));
    stream.extend(b"[2]\n");
    stream.extend(line_of(32_768, "\n"));
    stream.extend(b"[3]\n[4");
    for size in [stream.len(), 4_096, 99_999] {
        let (frames, fault) = decode(&stream, size);
        let lengths: Vec<usize> = frames.iter().map(String::len).collect();
        assert_eq!(lengths, [3, 100_000, 3, 32_768, 3], "pieces of {size}");
        assert_eq!(frames.last().map(String::as_str), Some("[3]"));
        assert_eq!(fault, Some(FrameFault::Partial));
    }
}

/// Byte at a time, a line of the limit takes 786,432 looks. Were each to search the line from its
/// start, they would be 309 thousand million steps, which no test run would see the end of.
#[test]
fn the_work_is_linear_in_the_bytes() {
    let (frames, fault) = decode(&line_of(MAX_FRAME_BYTES, "\n"), 1);
    assert_eq!((frames.len(), fault), (1, None));
    let many = "[1]\n".repeat(200_000);
    let (frames, fault) = decode(many.as_bytes(), many.len());
    assert_eq!((frames.len(), fault), (200_000, None));
}

#[test]
fn an_encoded_frame_is_one_line_within_the_limit() {
    assert_eq!(encode_frame(&"a\nb"), Ok(b"\"a\\nb\"\n".to_vec()));
    let fits = "x".repeat(MAX_FRAME_BYTES - 2);
    assert_eq!(encode_frame(&fits).map(|line| line.len()), Ok(MAX_FRAME_BYTES + 1));
    assert_eq!(encode_frame(&format!("{fits}x")), Err(FrameFault::TooLarge));
}
