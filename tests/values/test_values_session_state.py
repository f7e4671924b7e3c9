"""What a module keeps on an object that a library has."""

from pathlib import Path

from values_project import python


def test_what_a_module_keeps_on_an_object_of_a_library_is_read_there(tmp_path: Path) -> None:
    text = """
        import streamlit as st
        if "limit" not in st.session_state:
            st.session_state.limit = 5
        st.session_state["mode"] = "fast"
        def page():
            show(st.session_state.limit)
            show(st.session_state["mode"])
            show(st.session_state.colour)
    """
    kept, mode, nothing = python(tmp_path, text)
    assert kept == "5 | py:streamlit.session_state.limit"
    assert mode == "'fast' | py:streamlit.session_state[]"
    assert nothing == "py:streamlit.session_state.colour"


def test_what_is_put_on_another_object_of_the_library_is_not_read(tmp_path: Path) -> None:
    text = """
        import streamlit as st
        st.query_params.limit = 5
        show(st.session_state.limit)
    """
    assert python(tmp_path, text) == ["py:streamlit.session_state.limit"]
